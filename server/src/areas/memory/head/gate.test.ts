import { expect, test } from 'vitest'
import { firstWords, type Gate, gateOf, isOnTopic, type Nearness, nearness, wordCount } from './gate.ts'

/** Contents whose nearness goes evenly from one number to another. */
const evenly = (count: number, from: number, to: number): Nearness[] =>
  Array.from({ length: count }, (_, i) => {
    const value = from + ((to - from) * i) / (count - 1)
    return { vectors: value, words: value }
  })

const LONG = 1_000

test('nearness is the mean of the nearest five contents; votes of one content are equally near and count once', () => {
  const falling = Array.from({ length: 300 }, (_, i) => 300 - i)
  expect(nearness(falling, [1, 4, 3])).toEqual({ words: 298, vectors: 8 / 3 })
  expect(nearness([9, 9, 9, 9, 1, 5, 5], [2, 2])).toEqual({ words: 5, vectors: 2 })
  expect(nearness([], [])).toEqual({ words: 0, vectors: 0 })
  expect(nearness([1], undefined)).toEqual({ words: 1, vectors: undefined })
})

test('a gate leaves out the furthest 8 % of the known contents', () => {
  const known = evenly(100, 0.2, 0.6)
  const gate = gateOf(known, []) as Gate
  expect(known.filter((near) => isOnTopic(gate, near, LONG))).toHaveLength(92)
})

test('by words alone, a gate leaves out the furthest 15 %', () => {
  const known = evenly(100, 0.2, 0.6).map(({ words }) => ({ words, vectors: undefined }))
  const gate = gateOf(known, []) as Gate
  expect(known.filter((near) => isOnTopic(gate, near, LONG))).toHaveLength(85)
})

test('an item that is near by vectors alone, as a long text is to everything, is not on topic', () => {
  const gate = gateOf(evenly(100, 0.2, 0.6), []) as Gate
  expect(isOnTopic(gate, { vectors: 0.5, words: 0.05 }, LONG)).toBe(false)
  expect(isOnTopic(gate, { vectors: 0.5, words: 0.3 }, LONG)).toBe(true)
})

test('a short item has the limit of contents that are cut to its length', () => {
  const gate = gateOf(evenly(100, 0.2, 0.6), [evenly(100, 0.05, 0.4), evenly(100, 0.1, 0.5)]) as Gate
  const near = { vectors: 0.18, words: 0.18 }
  expect([8, 9, 16, 17].map((words) => isOnTopic(gate, near, words))).toEqual([true, false, false, false])
  const nearer = { vectors: 0.22, words: 0.22 }
  expect([8, 9, 16, 17].map((words) => isOnTopic(gate, nearer, words))).toEqual([true, true, true, false])
})

test('the limit of short items is never above that of others', () => {
  const known = evenly(100, 0.2, 0.6)
  const gate = gateOf(known, [known, known, known]) as Gate
  expect(gate.shorter.map(({ words, least }) => [words, least])).toEqual(
    [8, 16, 32].map((words) => [words, gate.least]),
  )
})

test('fewer than 50 known contents make no gate, and fewer cut ones no limit', () => {
  expect(gateOf(evenly(49, 0, 1), [])).toBeNull()
  expect(gateOf(evenly(50, 0, 1), [evenly(49, 0, 1)])?.shorter).toEqual([])
})

test('known contents that are all as near make a gate that they pass', () => {
  const known = evenly(60, 0.4, 0.4)
  const gate = gateOf(known, []) as Gate
  expect(known.every((near) => isOnTopic(gate, near, LONG))).toBe(true)
})

test.each([
  ['one two  three\nfour', 3, 'one two  three'],
  ['  one two', 1, '  one'],
  ['one two', 2, 'one two'],
  ['one two ', 3, 'one two '],
  ['', 1, ''],
])('%j cut to %i words is %j', (text, count, cut) => {
  expect(firstWords(text, count)).toBe(cut)
})

test('words are counted by blanks', () => {
  expect(['', ' one\ttwo\n', 'one-and-a-half'].map(wordCount)).toEqual([0, 2, 1])
})
