import { expect, test } from 'vitest'
import { ndcg10, recall10 } from './metrics.ts'

const grades = new Map([
  ['best', 2],
  ['good', 1],
  ['bad', 0],
])
const others = Array.from({ length: 10 }, (_, i) => `other-${i}`)

test('nDCG is 1 for the best order, less for a worse one, and 0 where no relevant document is among the first ten', () => {
  expect(ndcg10(['best', 'good', 'bad'], grades)).toBe(1)
  // (1 + 2 / log2(3)) / (2 + 1 / log2(3))
  expect(ndcg10(['good', 'best'], grades)).toBeCloseTo(0.8597, 4)
  expect(ndcg10([...others, 'best'], grades)).toBe(0)
})

test('recall is the share of the relevant documents among the first ten', () => {
  expect(recall10(['bad', 'best', ...others], grades)).toBe(0.5)
  expect(recall10([...others.slice(0, 8), 'good', 'best'], grades)).toBe(1)
  expect(recall10([...others, 'good', 'best'], grades)).toBe(0)
})

test('a query without relevant documents counts for neither', () => {
  const none = new Map([['bad', 0]])
  expect([ndcg10(['bad'], none), recall10(['bad'], none)]).toEqual([undefined, undefined])
})
