import { setTimeout } from 'node:timers/promises'
import { type Database, type Db, raw, sql } from './db/db.ts'

/** The first line of a migration that builds indexes while the tables are written, outside of a transaction. */
export const MARK = '-- outside of a transaction'

/** Not the lock of the other migrations: a process of an earlier version waits for that in a transaction. */
const LOCK = 727_002

const POLL_MS = 200

const FORM = /^create (?:unique )?index concurrently (\w+) on \w+\s*[( u][\s\S]*$/i

/**
 * Carries out a migration that is nothing but `create index concurrently <name> on …;`. What an interrupted run left is
 * dropped and built again. The migration is recorded once all its indexes are valid.
 */
export async function buildIndexes(database: Database, name: string, text: string): Promise<void> {
  const statements = statementsOf(name, text)
  await database.session(async (db) => {
    await lock(db)
    const [applied] = await db.query(sql`select name from migration where name = ${name}`)
    if (applied) return
    for (const { index, statement } of statements) await build(db, index, statement)
    await db.query(sql`insert into migration (name) values (${name})`)
  })
}

function statementsOf(name: string, text: string): { index: string; statement: string }[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  return statements.map((statement) => {
    const [, index] = FORM.exec(statement) ?? []
    if (index !== undefined) return { index, statement }
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

async function build(db: Db, index: string, statement: string): Promise<void> {
  const [found] = await db.query<{ valid: boolean }>(sql`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`)
  if (found?.valid) return
  if (found) await db.query(sql`drop index concurrently ${raw(index)}`)
  await db.query(raw(statement))
}
