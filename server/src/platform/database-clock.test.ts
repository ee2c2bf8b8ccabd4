import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startService } from '../../test/running-service.ts'
import { DatabaseClock } from './database-clock.ts'
import { type Db, sql } from './db/db.ts'

const HOUR_MS = 3_600_000

/**
 * A database whose clock is ahead of this process. `ways` lists the delays of its round trips; the last one repeats.
 */
function simulation({ ahead, ways }: { ahead: number; ways: [there: number, back: number][] }) {
  const state = { own: 1_000_000, ahead, ways, isDown: false, answered: 0, refused: 0 }
  const db: Db = {
    async query<Row extends object>(): Promise<Row[]> {
      if (state.isDown) {
        state.refused++
        throw new Error('down')
      }
      state.answered++
      const [there, back] = (state.ways.length > 1 ? state.ways.shift() : state.ways[0]) ?? [0, 0]
      state.own += there
      const now = Math.round(state.own + state.ahead)
      state.own += back
      return [{ now } as Row]
    },
  }
  return { state, db, log: startedLog, own: () => state.own }
}

const { log: startedLog } = (await startService()).app.services

const errorOf = (clock: DatabaseClock, { own, ahead }: { own: number; ahead: number }) => clock.now() - (own + ahead)

describe('the clock of a process', () => {
  test.each([5_000, -5_000, HOUR_MS])('that is %i ms off follows that of the database', async (ahead) => {
    const { state, ...options } = simulation({ ahead, ways: [[3, 3]] })
    const clock = new DatabaseClock(options)
    await clock.measure()
    expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(1)
  })

  test('takes the shortest round trip, wherever among slow and lopsided ones it comes', async () => {
    const slow: [number, number][] = [
      [400, 0],
      [0, 900],
      [70, 1],
      [1, 300],
    ]
    for (let quick = 0; quick <= slow.length; quick++) {
      const ways = slow.toSpliced(quick, 0, [2, 2])
      const { state, ...options } = simulation({ ahead: 7_000, ways })
      const clock = new DatabaseClock(options)
      await clock.measure()
      expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(2.5)
    }
  })

  test('is never further off than half a round trip, however lopsided all of them are', async () => {
    const { state, ...options } = simulation({ ahead: 7_000, ways: [[40, 0]] })
    const clock = new DatabaseClock(options)
    await clock.measure()
    expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(21.5)
  })

  test('is not made worse by slow round trips later', async () => {
    const { state, ...options } = simulation({ ahead: 7_000, ways: [[1, 1]] })
    const clock = new DatabaseClock(options)
    await clock.measure()
    for (let minute = 1; minute <= 10; minute++) {
      state.own += 60_000
      state.ways = [[0, 800]]
      await clock.measure()
      // At most what drift can have made of it.
      expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(2 + minute * 6.5)
    }
    state.ways = [[1, 1]]
    await clock.measure()
    expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(2)
  })

  test.each([40, -40, HOUR_MS, -HOUR_MS])('follows the database set by %i ms', async (step) => {
    const { state, ...options } = simulation({ ahead: 7_000, ways: [[1, 1]] })
    const clock = new DatabaseClock(options)
    await clock.measure()
    state.ahead += step
    state.own += 10_000
    await clock.measure()
    expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(2)
  })

  test('stays as it was when the database does not answer, and works from the first answer on', async () => {
    const { state, ...options } = simulation({ ahead: 7_000, ways: [[1, 1]] })
    const clock = new DatabaseClock(options)
    await clock.measure()
    state.isDown = true
    await expect(clock.measure()).rejects.toThrow('down')
    expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(1)
    state.isDown = false
    state.ahead = 9_000
    await clock.measure()
    expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(1)
  })

  test('is measured again and again, past a database that does not answer for a while and is told of once', async () => {
    const { state, ...options } = simulation({ ahead: 7_000, ways: [[1, 1]] })
    const told: object[] = []
    const log = { warn: (about: object) => void told.push(about) }
    const clock = new DatabaseClock({ ...options, log, everyMs: 1 })
    await clock.start()
    onTestFinished(() => clock.stop())
    state.isDown = true
    await vi.waitFor(() => expect(state.refused).toBeGreaterThan(3), 30_000)
    // With the others of the minute that follows, not one by one.
    expect(told).toEqual([{ err: new Error('down'), failures: 1 }])
    state.ahead = 9_000
    state.isDown = false
    const { answered } = state
    await vi.waitFor(() => expect(state.answered).toBeGreaterThan(answered), 30_000)
    expect(Math.abs(errorOf(clock, state))).toBeLessThanOrEqual(1)
  })

  test('agrees with a real database an hour away', async () => {
    const { database } = await startService()
    const clock = new DatabaseClock({ db: database.checks, log: startedLog, own: () => Date.now() - HOUR_MS })
    await clock.start()
    await clock.stop()
    const [before] = await database.query<{ now: number }>(sql`select now_ms() as now`)
    const now = clock.now()
    const [after] = await database.query<{ now: number }>(sql`select now_ms() as now`)
    // Half a round trip on a busy machine.
    expect(now).toBeGreaterThan((before?.now ?? 0) - 60_000)
    expect(now).toBeLessThan((after?.now ?? 0) + 60_000)
  })
})
