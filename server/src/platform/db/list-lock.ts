import { type Db, type Sql, sql, type Transaction, together } from './db.ts'

/** Locks these names until the transaction ends, so that transactions that lock the same name run one after another. */
export async function lockByName(db: Db, ...names: string[]): Promise<void> {
  await db.query(lockOf(names))
}

function lockOf(names: string[]): Sql {
  const inOrder = [...new Set(names)].sort()
  return sql`select pg_advisory_xact_lock(hashtextextended(l, 0)) from unnest(${inOrder}::text[]) as l`
}

/**
 * For one statement that takes positions in lists from a sequence: it runs right after the lock of these lists, and
 * travels in the same packet. Positions then become visible in order, and no page passes a position that is not visible
 * yet (docs/decisions/positions-in-turn.md).
 */
export const inTurn = (db: Db, ...lists: string[]): Db => ({
  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    const [, rows] = await together([lockByName(db, ...lists), db.query<Row>(statement)])
    return rows
  },
})

/** As `inTurn`, for a statement whose answer the caller does not need. */
export function sendInTurn(db: Transaction, lists: string[], statement: Sql): void {
  db.send(lockOf(lists))
  db.send(statement)
}

/** Sends a lock by name that others may share, but for whoever locks the name alone. */
export const sendSharedLock = (db: Transaction, name: string): void =>
  db.send(sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`)
