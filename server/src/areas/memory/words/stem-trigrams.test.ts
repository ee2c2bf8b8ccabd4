import { expect, test } from 'vitest'
import { StemBytes } from './stem-bytes.ts'
import { StemTrigrams } from './stem-trigrams.ts'

function numbered(words: string[]) {
  const stems = new StemBytes()
  for (const word of words) stems.idOf(word)
  return new StemTrigrams(stems)
}

const WORDS = ['größe', 'größer', 'überraschung', 'size', '価格表示']

// The first test of the file: what all indexes share must not have room yet.
test('a query that is the first to need the 3-grams of other letters compares them', () => {
  const first = numbered(WORDS).affinity([], new Map([['größen', 1]]), 'en')
  const affinities = WORDS.map((_, stem) => first(stem))
  expect(affinities.map((affinity) => affinity > 0)).toEqual([true, true, false, false, false])
  const trigrams = numbered(WORDS)
  trigrams.norm(
    Uint32Array.from(WORDS, (_, stem) => stem * 256 + 1),
    'en',
  )
  const later = trigrams.affinity([], new Map([['größen', 1]]), 'en')
  for (const [stem, affinity] of affinities.entries()) expect(later(stem)).toBeGreaterThanOrEqual(affinity)
})

test('however many 3-grams of other letters there are, each has its weight', () => {
  const letters = Array.from({ length: 400 }, (_, i) => String.fromCodePoint(0x4e00 + i))
  const words = letters.flatMap((a) => letters.slice(0, 100).map((b) => a + b + a))
  const affinity = numbered(words).affinity([], new Map([['size', 1]]), 'en')
  expect(words.every((_, stem) => affinity(stem) === 0)).toBe(true)
})
