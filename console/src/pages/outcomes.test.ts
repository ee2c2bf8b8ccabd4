import { expect, test } from 'vitest'
import { countOutcomes, healthOf, outcomesOverTime } from './outcomes.ts'

const attempt = {}
const succeededAt = (time: string) => ({ createdAt: Date.parse(time), status: 'succeeded', lastAttempt: attempt })

test('the steps begin at whole seconds, minutes or hours, and their length is one of those', () => {
  const over = outcomesOverTime([
    succeededAt('2026-11-27T02:43:11.731Z'),
    succeededAt('2026-11-27T02:43:12.004Z'),
    succeededAt('2026-11-27T02:47:59.999Z'),
  ])
  expect(over.x[0]).toBe(Date.parse('2026-11-27T02:43:10Z') / 1000)
  expect(over.length).toBe(10)
  expect(over.succeeded[0]).toBe(2)
  expect(over.succeeded.at(-1)).toBe(1)
})

test('what was sent within one second stands in the middle of some seconds', () => {
  const { x, succeeded, length } = outcomesOverTime([
    succeededAt('2026-11-27T02:43:11.100Z'),
    succeededAt('2026-11-27T02:43:11.900Z'),
  ])
  expect(length).toBe(1)
  expect(succeeded).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0])
  expect(x[5]).toBe(Date.parse('2026-11-27T02:43:11Z') / 1000)
})

test('a long time has at most 40 steps, which count each outcome once', () => {
  const rows = Array.from({ length: 300 }, (_, day) => ({
    createdAt: Date.UTC(2026, 0, day),
    status: 'failed',
    lastAttempt: attempt,
  }))
  const { x, failed, length } = outcomesOverTime(rows)
  expect(x.length).toBeLessThanOrEqual(40)
  expect(length % 86_400).toBe(0)
  expect(failed.reduce((sum, each) => sum + each, 0)).toBe(300)
})

test('what waits for its first attempt is not counted, and what waits for another one is failing', () => {
  const createdAt = Date.UTC(2026, 0, 1)
  const { succeeded, failing, failed } = outcomesOverTime([
    { createdAt, status: 'pending', lastAttempt: null },
    { createdAt, status: 'pending', lastAttempt: attempt },
  ])
  expect([...succeeded, ...failed].every((count) => count === 0)).toBe(true)
  expect(failing.filter((count) => count > 0)).toEqual([1])
})

test('the share of successes is that of the deliveries that ended', () => {
  const rows = ['succeeded', 'succeeded', 'succeeded', 'failed', 'pending', 'cancelled'].map((status) => ({
    status,
    lastAttempt: attempt,
  }))
  const untried = { status: 'pending', lastAttempt: null }
  expect(countOutcomes([...rows, untried])).toEqual({ pending: 2, failing: 1, succeeded: 3, failed: 1, rate: 0.75 })
  expect(countOutcomes([untried]).rate).toBeNull()
})

test.each([
  ['untried', 'nothing is sent', [{ status: 'pending', lastAttempt: null }]],
  ['sound', 'what was tried succeeded', [{ status: 'succeeded', lastAttempt: attempt }]],
  [
    'failing',
    'one waits to be sent again',
    [
      { status: 'succeeded', lastAttempt: attempt },
      { status: 'pending', lastAttempt: attempt },
    ],
  ],
  ['failing', 'one was given up', [{ status: 'failed', lastAttempt: attempt }]],
] as const)('an endpoint is %s where %s', (health, _, deliveries) => {
  expect(healthOf([...deliveries])).toBe(health)
})
