import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Database, type Db, raw, sql } from './db.ts'

const BATCH = 500

/** A line of an export that is not a row. Rows are JSON objects, marks are arrays. */
type Mark = ['migrations', string] | ['table', string] | ['sequence', string, number] | ['end']

/**
 * Writes all rows as lines of JSON, from one snapshot. The export moves data to another PostgreSQL version, or between
 * an embedded database and a server. It has no schema; the migrations create that.
 */
export async function exportData(database: Database, write: (line: string) => void | Promise<void>): Promise<void> {
  const mark = (value: Mark) => write(JSON.stringify(value))
  await database.transaction(async (db) => {
    await db.query(sql`set transaction isolation level repeatable read`)
    await mark(['migrations', await migrations(db)])
    for (const { name } of await tables(db)) {
      await mark(['table', name])
      await db.query(sql`declare export no scroll cursor for select to_jsonb(t)::text as line from ${raw(name)} t`)
      for (;;) {
        const rows = await db.query<{ line: string }>(sql`fetch ${raw(String(BATCH))} from export`)
        for (const { line } of rows) await write(line)
        if (rows.length < BATCH) break
      }
      await db.query(sql`close export`)
    }
    for (const { name, value } of await sequences(db)) await mark(['sequence', name, value])
    await mark(['end'])
  })
}

/**
 * Replaces all rows by those of an export, or changes nothing. The database must have run the same migrations. Its user
 * must be allowed to set session_replication_role; that of the embedded database is. `check` sees the new rows; when it
 * throws, nothing changes.
 */
export async function importData(
  database: Database,
  input: Readable,
  check?: (db: Db) => Promise<void>,
): Promise<void> {
  await database.transaction(async (db) => {
    // Rows arrive table by table, not in the order of their foreign keys.
    await db.query(sql`set local session_replication_role = replica`)
    const columns = new Map((await tables(db)).map((table) => [table.name, table.columns]))
    for (const name of columns.keys()) await db.query(sql`delete from ${raw(name)}`)
    let table = ''
    let rows: string[] = []
    let last: string | undefined
    for await (const line of createInterface({ input })) {
      const mark: Mark | undefined = line.startsWith('[') ? JSON.parse(line) : undefined
      if (!mark) rows.push(line)
      if (mark || rows.length === BATCH) {
        await insert(db, table, columns.get(table), rows)
        rows = []
      }
      if (mark) await follow(db, mark)
      if (mark?.[0] === 'table') table = mark[1]
      last = mark?.[0]
    }
    if (last !== 'end') throw new Error('The export is not complete.')
    await check?.(db)
  })
}

async function follow(db: Db, mark: Mark): Promise<void> {
  if (mark[0] === 'sequence') await db.query(sql`select setval(${mark[1]}::regclass, ${mark[2]}::bigint)`)
  if (mark[0] === 'migrations' && mark[1] !== (await migrations(db))) {
    throw new Error('The export comes from a version of Precedent with other migrations. Import it with that version.')
  }
}

async function insert(db: Db, table: string, columns: string | undefined, rows: string[]): Promise<void> {
  if (rows.length === 0) return
  if (columns === undefined)
    throw new Error(`The export has rows of ${table || 'no table'}, which is not in this database.`)
  await db.query(sql`
    insert into ${raw(table)} (${raw(columns)})
    overriding system value
    select ${raw(columns)}
    from jsonb_populate_recordset(null::${raw(table)}, ${`[${rows.join(',')}]`}::jsonb)`)
}

async function migrations(db: Db): Promise<string> {
  const [row] = await db.query<{ names: string }>(
    sql`select coalesce(string_agg(name, ' ' order by name collate "C"), '') as names from migration`,
  )
  return row?.names ?? ''
}

/**
 * All tables but the record of migrations, with the columns that can be written, both quoted for SQL. A partitioned
 * table counts as one.
 */
function tables(db: Db): Promise<{ name: string; columns: string }[]> {
  return db.query(sql`
    select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition
    and c.relnamespace = 'public'::regnamespace
    and c.relname <> 'migration'
    group by c.oid
    order by name`)
}

function sequences(db: Db): Promise<{ name: string; value: number }[]> {
  return db.query(sql`
    select format('%I.%I', schemaname, sequencename) as name, last_value as value
    from pg_sequences
    where schemaname = 'public'
    and last_value is not null`)
}
