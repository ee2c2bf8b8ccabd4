import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sleepUntil } from './sleep-until.ts'

function clockAt(time: number) {
  let asked = 0
  return {
    now() {
      asked++
      return time
    },
    asked: () => asked,
  }
}

test('a time that has passed is not waited for', async () => {
  const clock = clockAt(1)
  await sleepUntil(1, clock)
  expect(clock.asked()).toBe(1)
})

test('what is further ahead than a timer of Node can be set is waited for, not asked for all the time', async () => {
  const clock = clockAt(0)
  // It still waits: Node would fire a longer timer after a millisecond.
  await Promise.race([sleepUntil(2 ** 31, clock), delay(100)])
  expect(clock.asked()).toBe(1)
})
