import { type Db, type Sql, sql, type Transaction, together } from './db.ts'

/**
 * Locks lists, by name, until the transaction ends, so that transactions that add to the same list run one after another.
 * Call it right before the statement that takes positions from a sequence. Positions then become visible in order, and
 * no page passes a position that is not visible yet (docs/decisions/positions-in-turn.md).
 */
export async function lockLists(db: Db, ...lists: string[]): Promise<void> {
  await db.query(lockOf(lists))
}

function lockOf(lists: string[]): Sql {
  const inOrder = [...new Set(lists)].sort()
  return sql`select pg_advisory_xact_lock(hashtextextended(l, 0)) from unnest(${inOrder}::text[]) as l`
}

/** As `inTurn`, for a statement whose answer the caller does not need. */
export function sendInTurn(db: Transaction, lists: string[], statement: Sql): void {
  db.send(lockOf(lists))
  db.send(statement)
}

/** For one statement: it runs right after the lock of these lists, and travels in the same packet. */
export const inTurn = (db: Db, ...lists: string[]): Db => ({
  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    const [, rows] = await together([lockLists(db, ...lists), db.query<Row>(statement)])
    return rows
  },
})
