import { expect, test } from 'vitest'
import { keptBytes } from '../../../../test/measuring/kept-bytes.ts'
import { stemsOf } from './tokenize.ts'

test('scripts without spaces are split by dictionary, others at what is no letter or digit', () => {
  expect(stemsOf('東京都に行く ภาษาไทย Running')).toEqual([...['東京', '都', 'に', '行く'], ...['ภาษา', 'ไทย'], 'run'])
})

test('the time for a text without spaces grows with its length, not with the square of it', () => {
  const begun = process.cpuUsage()
  const stems = stemsOf('ひらがな'.repeat(25_000))
  const { user } = process.cpuUsage(begun)
  expect(stems.length).toBeGreaterThan(25_000)
  expect(user / 1000).toBeLessThan(2_000)
})

test('a long text without spaces is split between characters', () => {
  const astral = '𠮷'
  expect(stemsOf(astral.repeat(1_001)).every((stem) => stem.isWellFormed())).toBe(true)
  expect(stemsOf(astral.repeat(1_001)).join('')).toBe(astral.repeat(1_001))
})

test('a remembered word keeps nothing of the text that it was read from', () => {
  const text = 'the plan is good '.repeat(6_000)
  const kept = keptBytes(() => {
    for (let i = 0; i < 300; i++) stemsOf(`${text} unheardofword${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`)
  })
  expect(kept).toBeLessThan(10_000_000)
})
