import { setTimeout } from 'node:timers/promises'
import { type Database, DatabaseError, type Db, raw, sql } from './db/db.ts'

/** The first line of a migration that builds indexes while the tables are written, outside of a transaction. */
export const MARK = '-- outside of a transaction'

/** Not the lock of the other migrations: a process of an earlier version waits for that in a transaction. */
const LOCK = 727_002

const POLL_MS = 200

/**
 * How often a change of a table is tried whose lock does not come free: whoever waits for a lock holds up all others.
 */
const TRIES = 20
const LOCK_TIMEOUT_MS = 2_000
const NOT_LOCKED = '55P03'

const FORM = /^(create (?:unique )?index) concurrently (\w+) on (\w+)(\s*[( u][\s\S]*)$/i

/** An index, the table that it is on, and the words before and after them. */
interface Index {
  create: string
  name: string
  table: string
  rest: string
}

/**
 * Carries out a migration that is nothing but `create index concurrently <name> on …;`. What an interrupted run left is
 * dropped and built again. The migration is recorded once all its indexes are valid.
 */
export async function buildIndexes(database: Database, name: string, text: string): Promise<void> {
  const indexes = indexesOf(name, text)
  await database.session(async (db) => {
    await lock(db)
    const [applied] = await db.query(sql`select name from migration where name = ${name}`)
    if (applied) return
    for (const index of indexes) await build(database, db, index)
    await db.query(sql`insert into migration (name) values (${name})`)
  })
}

/** From there on a script of `changeTables` waits for each lock for a short time only. */
export const GIVE_WAY = `set local lock_timeout = ${LOCK_TIMEOUT_MS};`

/**
 * Runs a script that changes tables, in one transaction. It is run again if it gave way where a lock did not come free.
 */
export async function changeTables(database: Database, script: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // To change a large table may take its time.
      return await database.script(`set local statement_timeout = 0; ${script}`)
    } catch (error) {
      const isLocked = error instanceof DatabaseError && error.code === NOT_LOCKED
      if (!isLocked || tries === TRIES) throw error
      await setTimeout(LOCK_TIMEOUT_MS)
    }
  }
}

function indexesOf(name: string, text: string): Index[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  return statements.map((statement) => {
    const [, create, index, table, rest] = FORM.exec(statement) ?? []
    if (create && index && table && rest) return { create, name: index, table, rest }
    throw new Error(`${name} runs outside of a transaction, so it may hold only: create index concurrently <name> on …`)
  })
}

/**
 * Takes the lock for this session. It asks again and again, since a build waits for all who wait in a statement, and
 * they would wait for it.
 */
async function lock(db: Db): Promise<void> {
  for (;;) {
    const [{ taken } = { taken: false }] = await db.query<{ taken: boolean }>(
      sql`select pg_try_advisory_lock(${LOCK}) as taken`,
    )
    if (taken) return
    await setTimeout(POLL_MS)
  }
}

/**
 * PostgreSQL cannot do so for a partitioned table, but for each partition. Then the table's index consists of theirs.
 */
async function build(database: Database, db: Db, index: Index): Promise<void> {
  const { create, name, table, rest } = index
  const [found] = await db.query<{ valid: boolean }>(sql`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`)
  if (found?.valid) return
  if (found) await db.query(sql`drop index concurrently ${raw(name)}`)
  const partitions = await db.query<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`)
  for (const partition of partitions)
    await build(database, db, { ...index, name: `${partition.name}_${name}`, table: partition.name })
  if (partitions.length === 0) await db.query(raw(`${create} concurrently ${name} on ${table}${rest}`))
  else await changeTables(database, `${GIVE_WAY} ${create} ${name} on ${table}${rest}`)
}
