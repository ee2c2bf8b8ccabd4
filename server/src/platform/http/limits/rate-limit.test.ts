import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../../test/running-service.ts'
import { type Database, sql } from '../../db/db.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

function limiter(name: string, points: number): RateLimiter {
  const made = createRateLimiter(database, { name, points, windowSeconds: 60 })
  if (!made) throw new Error('The limit is off.')
  return made
}

const endWindow = (key: string) => database.query(sql`update rate_limit set resets_at = now_ms() where key = ${key}`)

test('calls up to the limit are allowed, further ones are not', async () => {
  const limit = limiter('upTo', 2)
  expect(await limit.consume('a')).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
  expect(await limit.consume('a')).toMatchObject({ allowed: true, remaining: 0 })
  const refused = await limit.consume('a')
  expect(refused).toMatchObject({ allowed: false, limit: 2, remaining: 0 })
  expect(refused.resetSeconds).toBeGreaterThan(55)
  expect(refused.resetSeconds).toBeLessThanOrEqual(60)
})

test('subjects and limits are counted apart', async () => {
  const [limit, other] = [limiter('apart', 1), limiter('apart2', 1)]
  await limit.consume('a')
  expect(await limit.consume('b')).toMatchObject({ allowed: true })
  expect(await other.consume('a')).toMatchObject({ allowed: true })
  expect(await limit.consume('a')).toMatchObject({ allowed: false })
})

test('the count starts anew when the window is over', async () => {
  const limit = limiter('window', 2)
  await limit.consume('a')
  await limit.consume('a')
  await endWindow('window:a')
  expect(await limit.consume('a')).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
})

test('a limit holds across processes, also for calls at the same time', async () => {
  const processes = [limiter('shared', 10), limiter('shared', 10), limiter('shared', 10)]
  const verdicts = await Promise.all(processes.flatMap((limit) => Array.from({ length: 10 }, () => limit.consume('a'))))
  expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10)
})

test('a subject over its limit is refused from memory, for its window only', async () => {
  const limit = limiter('flood', 1)
  await limit.consume('a')
  await limit.consume('a')
  await database.query(sql`delete from rate_limit where key = 'flood:a'`)
  expect(await limit.consume('a')).toMatchObject({ allowed: false })
  const rows = await database.query(sql`select from rate_limit where key = 'flood:a'`)
  expect(rows).toEqual([])

  const windowEnd = performance.now() + 61_000
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    vi.advanceTimersByTime(windowEnd)
    expect(await limit.consume('a')).toMatchObject({ allowed: true })
  } finally {
    vi.useRealTimers()
  }
})

test('windows that are over are swept out', async () => {
  const limit = limiter('sweep', 10_000)
  await limiter('gone', 1).consume('a')
  await endWindow('gone:a')
  for (let i = 0; i < 1000; i++) await limit.consume('a')
  expect(await database.query(sql`select from rate_limit where key = 'gone:a'`)).toEqual([])
})

test('0 points switch a limit off', () => {
  expect(createRateLimiter(database, { name: 'off', points: 0, windowSeconds: 60 })).toBeUndefined()
})
