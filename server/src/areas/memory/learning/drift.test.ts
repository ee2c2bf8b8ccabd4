import { expect, test } from 'vitest'
import { inputsOf } from '../head/stack.ts'
import { driftOf } from './drift.ts'

const DAY = 86_400_000

/** One forecast a day; `isRight` says which came true. */
function told(isRight: (i: number) => boolean) {
  const forecasts = Array.from({ length: 400 }, (_, i) => ({ probability: 0.9, approve: isRight(i) }))
  const examples = forecasts.map(({ approve }, i) => ({
    ...{ approve, baseRate: 0.5, inputs: inputsOf(() => 0) },
    at: i < 300 ? i * DAY : 300 * DAY + (i - 300) * (DAY / 10),
  }))
  return driftOf(examples, forecasts)
}

test('forecasts that keep what they promise are trusted', () => {
  expect(told((i) => i % 10 !== 0)).toEqual({ trust: 1, drift: null })
})

test('where those of the last weeks do not, they are drawn to the base rate', () => {
  const { trust, drift } = told((i) => (i < 280 ? i % 10 !== 0 : i % 2 === 0))
  expect(trust).toBeLessThan(0.3)
  expect(drift).toMatchObject({ promised: expect.closeTo(0.9, 5), kept: expect.closeTo(0.5, 1) })
})

test('what was wrong long ago does not count', () => {
  expect(told((i) => i > 200 && i % 10 !== 0).trust).toBe(1)
})
