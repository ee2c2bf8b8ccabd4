import { expect, test } from 'vitest'
import { BUCKETS, BucketWeights, hashed } from './hashed-words.ts'
import { denseDot, denseRows, regress, sparseDot, sparseRows } from './logistic-regression.ts'

function result<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

test('a regression meets the condition of its optimum: the penalized gradient is zero', () => {
  const rows = Array.from({ length: 300 }, (_, i) => Float32Array.of(Math.sin(i), Math.cos(3 * i), Math.sin(7 * i)))
  const approvals = rows.map(([a = 0, b = 0], i) => Number(a + 0.5 * b + 0.3 * Math.sin(11 * i) > 0.2))
  const [base, penalty] = [0.4, 2]
  const weights = result(regress(denseRows(rows, 3), approvals, { base, penalty }))
  for (const k of [0, 1, 2]) {
    const gradient = rows.reduce(
      (sum, row, i) => sum + (row[k] ?? 0) * (1 / (1 + Math.exp(-base - denseDot(row, weights))) - (approvals[i] ?? 0)),
      penalty * (weights[k] ?? 0),
    )
    expect(Math.abs(gradient)).toBeLessThan(0.05)
  }
})

test('the words of texts tell their sides apart, and a text without known words says nothing', () => {
  const texts = Array.from({ length: 60 }, (_, i) => hashed([i % 2 ? 'budget' : 'banner', 'plan', `n${i}`]))
  const weights = BucketWeights.of(texts)
  const weighed = texts.map((text) => weights.weighed(text))
  const words = result(
    regress(
      sparseRows(weighed, BUCKETS),
      texts.map((_, i) => i % 2),
      { base: 0, penalty: 1 },
    ),
  )
  const says = (stems: string[]) => sparseDot(weights.weighed(hashed(stems)), words)
  expect(says(['budget'])).toBeGreaterThan(0.5)
  expect(says(['banner'])).toBeLessThan(-0.5)
  expect([says([]), says(['unheard'])]).toEqual([0, 0])
})

test('the same rows give the same weights, to the bit', () => {
  const rows = denseRows(
    Array.from({ length: 50 }, (_, i) => Float32Array.of(Math.sin(i), Math.cos(i))),
    2,
  )
  const approvals = Array.from({ length: 50 }, (_, i) => i % 3 > 0)
  const fit = () => result(regress(rows, approvals.map(Number), { base: 0.1, penalty: 1 }))
  expect(fit()).toEqual(fit())
})

test('an order of stems matters: pairs of neighbours are hashed too', () => {
  expect(hashed(['not', 'good']).buckets).not.toEqual(hashed(['good', 'not']).buckets)
  expect(hashed(['a', 'b']).buckets).toHaveLength(3)
})
