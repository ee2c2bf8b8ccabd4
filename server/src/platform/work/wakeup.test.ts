import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Wakeup } from './wakeup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A bell, and whether it has rung. */
function bell() {
  const it = new Wakeup()
  const state = { bell: it, hasRung: false }
  void it.rung.then(() => {
    state.hasRung = true
  })
  return state
}

test('rings at the earliest time that it is asked for, with one timer for all', async () => {
  const state = bell()
  for (const ms of [500, 20, 300]) state.bell.ringIn(ms)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(19)
  expect(state.hasRung).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(state.hasRung).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['at once', (state: Wakeup) => state.ring()],
  ['in no time', (state: Wakeup) => state.ringIn(0)],
])('rung %s, it leaves no timer, and takes no other', async (_, ring) => {
  const state = bell()
  state.bell.ringIn(500)
  ring(state.bell)
  state.bell.ringIn(10)
  expect(vi.getTimerCount()).toBe(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(state.hasRung).toBe(true)
})
