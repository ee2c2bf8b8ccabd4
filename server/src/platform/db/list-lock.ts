import { type Db, sql } from './db.ts'

/**
 * Makes transactions that add to the same lists take turns until they end. To be called right before the statement that
 * takes positions from a sequence: then positions become visible in their order, and a page never passes one that is
 * still to come (docs/decisions/positions-in-turn.md).
 */
export async function lockLists(db: Db, ...lists: string[]): Promise<void> {
  const inOrder = [...new Set(lists)].sort()
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(l, 0)) from unnest(${inOrder}::text[]) as l`)
}
