import { expect, test } from 'vitest'
import { RetryTimer } from './retry-timer.ts'

const NOW = 1_000_000

/** Retries of a queue that answers what it is given, and in how many milliseconds they asked to look again. */
function retriesOf(answers: Promise<{ count: number; nextAt: number | null }>[]) {
  const asked: number[] = []
  let looks = 0
  const queue = { promote: () => answers[looks++] ?? Promise.resolve({ count: 0, nextAt: null }) }
  return { retries: new RetryTimer(queue, { now: () => NOW }, (inMs) => asked.push(inMs)), asked, looks: () => looks }
}

test('after the start some may be due; after a look that found none, none is before the next', async () => {
  const { retries, asked } = retriesOf([Promise.resolve({ count: 0, nextAt: NOW + 40 })])
  expect(retries.isDue).toBe(true)
  expect(await retries.promote(false)).toBe(0)
  expect(retries.isDue).toBe(false)
  expect(asked).toEqual([40])
})

test('one that comes due while others are looked for is not forgotten', async () => {
  let answer = (_: { count: number; nextAt: number | null }) => {}
  const { retries, asked } = retriesOf([
    new Promise((resolve) => {
      answer = resolve
    }),
  ])
  const looking = retries.promote(false)
  retries.expect(NOW - 1)
  answer({ count: 0, nextAt: NOW + 40 })
  await looking
  expect(retries.isDue).toBe(true)
  expect(asked).toEqual([-1, 40])
})

test('where some were made ready, more may be due', async () => {
  const { retries } = retriesOf([Promise.resolve({ count: 500, nextAt: NOW + 40 })])
  expect(await retries.promote(false)).toBe(500)
  expect(retries.isDue).toBe(true)
})

test('a busy process looks for them no more often than every 250 ms, and asks to look then', async () => {
  const { retries, asked, looks } = retriesOf([])
  await retries.promote(true)
  expect(await retries.promote(true)).toBe(0)
  expect(looks()).toBe(1)
  expect(asked).toEqual([expect.closeTo(250, -2)])
  await retries.promote(false)
  expect(looks()).toBe(2)
})
