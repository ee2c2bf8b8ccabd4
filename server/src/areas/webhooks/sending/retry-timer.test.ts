import { expect, test } from 'vitest'
import { RetryTimer } from './retry-timer.ts'

const NOW = 1_000_000

/** A timer over a queue that returns the given results, and the delays that it schedules. */
function timerOf(answers: Promise<{ count: number; nextAt: number | null }>[]) {
  const scheduled: number[] = []
  let calls = 0
  const queue = { promote: () => answers[calls++] ?? Promise.resolve({ count: 0, nextAt: null }) }
  return {
    timer: new RetryTimer(queue, { now: () => NOW }, (inMs) => scheduled.push(inMs)),
    scheduled,
    calls: () => calls,
  }
}

test('a retry may be due at the start; after a promotion of none, not before the next one', async () => {
  const { timer, scheduled } = timerOf([Promise.resolve({ count: 0, nextAt: NOW + 40 })])
  expect(timer.isDue).toBe(true)
  expect(await timer.promote(false)).toBe(0)
  expect(timer.isDue).toBe(false)
  expect(scheduled).toEqual([40])
})

test('a retry that becomes due during a promotion is not forgotten', async () => {
  let answer = (_: { count: number; nextAt: number | null }) => {}
  const { timer, scheduled } = timerOf([
    new Promise((resolve) => {
      answer = resolve
    }),
  ])
  const promoting = timer.promote(false)
  timer.expect(NOW - 1)
  answer({ count: 0, nextAt: NOW + 40 })
  await promoting
  expect(timer.isDue).toBe(true)
  expect(scheduled).toEqual([-1, 40])
})

test('after a promotion of some, more may be due', async () => {
  const { timer } = timerOf([Promise.resolve({ count: 500, nextAt: NOW + 40 })])
  expect(await timer.promote(false)).toBe(500)
  expect(timer.isDue).toBe(true)
})

test('a busy process promotes at most every 250 ms, and schedules the next promotion', async () => {
  const { timer, scheduled, calls } = timerOf([])
  await timer.promote(true)
  expect(await timer.promote(true)).toBe(0)
  expect(calls()).toBe(1)
  expect(scheduled).toEqual([expect.closeTo(250, -2)])
  await timer.promote(false)
  expect(calls()).toBe(2)
})
