import { expect, vi } from 'vitest'
import { type Database, sql } from '../src/platform/db/db.ts'

/** Returns when so many calls wait for a lock of the native database. */
export const untilWaiting = (database: Database, calls: number): Promise<void> =>
  vi.waitFor(async () => {
    const waiting = await database.query(sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    expect(waiting).toHaveLength(calls)
  })
