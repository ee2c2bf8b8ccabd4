import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../db/db.ts'
import { createWorkerWakeup, Wakeup } from './wakeup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A wake-up, and whether it was signalled. */
function newWakeup() {
  const wakeup = new Wakeup()
  const state = { wakeup, wasSignalled: false }
  void wakeup.signalled.then(() => {
    state.wasSignalled = true
  })
  return state
}

test('signals at the earliest time that was asked for, with one timer for all', async () => {
  const state = newWakeup()
  for (const ms of [500, 20, 300]) state.wakeup.signalIn(ms)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(19)
  expect(state.wasSignalled).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(state.wasSignalled).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['at once', (wakeup: Wakeup) => wakeup.signal()],
  ['in no time', (wakeup: Wakeup) => wakeup.signalIn(0)],
])('signalled %s, it leaves no timer and sets no other', async (_, signal) => {
  const state = newWakeup()
  state.wakeup.signalIn(500)
  signal(state.wakeup)
  state.wakeup.signalIn(10)
  expect(vi.getTimerCount()).toBe(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(state.wasSignalled).toBe(true)
})

test('many commits that cannot wake the workers are told once a minute, with their number', async () => {
  const told: object[] = []
  const query = () => Promise.reject(new DatabaseUnavailable('too many connections'))
  const wake = createWorkerWakeup({ query }, { warn: (about: object) => void told.push(about) })
  for (let commits = 0; commits < 100; commits++) {
    wake()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(told).toMatchObject([{ failures: 1 }, { failures: 60 }])
})
