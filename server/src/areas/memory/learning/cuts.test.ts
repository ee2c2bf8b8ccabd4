import { expect, test } from 'vitest'
import { cutHistory } from './cuts.ts'
import type { PastJudgment } from './read-history.ts'

const past = (i: number, createdAt: number, content = `Item ${i}`): PastJudgment => ({
  ...{ key: `r${i}`, organization: null, document: null, decision: 'approve', judgeType: 'human' },
  ...{ contentType: null, reviewerId: null, createdAt, reasoning: '', content, thread: null, author: null },
  vectors: { review: null, content: null },
})

test('a history is cut by time, with enough before the first cut', () => {
  const { cuts, isOfOneTime } = cutHistory(Array.from({ length: 400 }, (_, i) => past(i, i)))
  expect([cuts, isOfOneTime]).toEqual([[100, 160, 220, 280, 340], false])
  expect(cutHistory(Array.from({ length: 200 }, (_, i) => past(i, i))).cuts[0]).toBe(80)
})

test('no cut lies between judgments of one time', () => {
  const { cuts } = cutHistory(Array.from({ length: 400 }, (_, i) => past(i, i < 150 ? 1 : 2)))
  expect(cuts).toEqual([150])
})

test('judgments of one time are cut between contents', () => {
  const given = Array.from({ length: 400 }, (_, i) => past(i, 1, `Item ${i % 100}`))
  const { judgments, cuts, isOfOneTime } = cutHistory(given)
  expect([isOfOneTime, cuts.length]).toEqual([true, 5])
  for (const cut of cuts) expect(judgments[cut]?.content).not.toBe(judgments[cut - 1]?.content)
  expect(cutHistory(given.toReversed()).judgments.map(({ content }) => content)).toEqual(
    judgments.map(({ content }) => content),
  )
})

test('a history that cannot be cut has no cuts', () => {
  expect(cutHistory(Array.from({ length: 300 }, (_, i) => past(i, 1, 'The same'))).cuts).toEqual([])
})
