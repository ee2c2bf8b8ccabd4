import { type Db, type Sql, sql } from '../db/db.ts'

/** What waits in a queue. */
export interface Backlog {
  queue: string
  /** The kind of the items, where a queue holds several. */
  type?: string
  /** How many items wait, counted up to `MOST_COUNTED`. */
  depth: number
  /** When the oldest of them was or will be due (epoch ms); null if there is none. */
  oldestAt: number | null
}

/** Counting stops here, so that a measurement takes a few milliseconds however long a queue is. */
export const MOST_COUNTED = 10_000

/**
 * Measures a queue by one bounded statement. `items` is what follows `from`, with a column `at`, the oldest first.
 * `oldest` is the same for items among which the oldest is, where `items` has another order.
 */
export async function measureBacklog(db: Db, queue: string, items: Sql, oldest = items): Promise<Backlog> {
  const [row] = await db.query<Pick<Backlog, 'depth' | 'oldestAt'>>(sql`
    select
      (select count(*) from (select from ${items} limit ${MOST_COUNTED}) counted) as depth,
      (select min(at) from (select at from ${oldest} limit ${MOST_COUNTED}) first) as "oldestAt"`)
  return { queue, depth: row?.depth ?? 0, oldestAt: row?.oldestAt ?? null }
}
