import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Attempt, decideRetry, STANDARD_SCHEDULE } from './retry-schedule.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const failed = (attempt: Partial<Attempt> = {}): Attempt => ({ tries: 1, endedAt: now, status: 500, ...attempt })
const noJitter = () => 0

test('retries come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then the message has failed', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => decideRetry(failed({ tries }), STANDARD_SCHEDULE, noJitter))
  const dueAfter = (seconds: number) => ({ status: 'scheduled', dueAt: now + seconds * 1000 })
  expect(waits).toEqual([
    dueAfter(5),
    dueAfter(300),
    dueAfter(1_800),
    dueAfter(7_200),
    dueAfter(18_000),
    dueAfter(36_000),
    dueAfter(36_000),
    { status: 'failed' },
  ])
})

test.each([
  ['seconds', '120', 120_000],
  ['an HTTP date', 'Thu, 01 Jan 2026 00:10:00 GMT', 600_000],
  ['less than the schedule', '1', 5_000],
  ['a date in the past', 'Wed, 31 Dec 2025 00:00:00 GMT', 5_000],
  ['nonsense', 'soon', 5_000],
  ['a negative number', '-7', 5_000],
  ['more than a day', '31536000', 86_400_000],
])('Retry-After is honoured: %s', (_name, retryAfter, wait) => {
  expect(decideRetry(failed({ retryAfter }), STANDARD_SCHEDULE, noJitter)).toEqual({
    status: 'scheduled',
    dueAt: now + wait,
  })
})

test('exactly the 2xx succeed, whatever the headers', () => {
  fc.assert(
    fc.property(fc.option(fc.integer({ min: 100, max: 599 })), fc.string(), fc.nat(20), (status, retryAfter, tries) => {
      const verdict = decideRetry(failed({ status, retryAfter, tries: tries + 1 }), STANDARD_SCHEDULE)
      expect(verdict.status === 'succeeded').toBe(status !== null && status >= 200 && status < 300)
    }),
  )
})

test('with any schedule: as many retries as it has waits, none early, none more than a tenth late', () => {
  const schedules = fc.array(fc.integer({ min: 1_000, max: 604_800_000 }), { maxLength: 20 })
  fc.assert(
    fc.property(schedules, fc.nat(25), fc.double({ min: 0, max: 1, noNaN: true }), (schedule, tries, random) => {
      const verdict = decideRetry(failed({ tries: tries + 1 }), schedule, () => random)
      const wait = schedule[tries]
      if (wait === undefined || verdict.status !== 'scheduled') {
        expect([wait, verdict.status]).toEqual([undefined, 'failed'])
        return
      }
      expect(verdict.dueAt - now).toBeGreaterThanOrEqual(wait)
      expect(verdict.dueAt - now).toBeLessThanOrEqual(wait * 1.1 + 1)
    }),
  )
})
