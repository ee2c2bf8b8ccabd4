import { type Database, DatabaseError, type Db, isFull, isServerTrouble, raw, type SnapshotOptions, sql } from './db.ts'
import { OWN_SCHEMA } from './own-schema.ts'

/** As many rows, or bytes of them, are held at a time; a row of any size is held whole. */
const BATCH = 500
const BATCH_BYTES = 1024 * 1024

/** A line of an export that is not a row. Rows are JSON objects, marks are arrays. */
type Mark =
  | ['about', About]
  | ['migrations', string]
  | ['table', string]
  | ['sequence', string, number]
  | ['end', number?]

/** What the first line of an export says. */
export interface About {
  /** When it was made, in ISO-8601. */
  at: string
  /** The ids of the master keys that its sealed secrets may need. */
  keys: string[]
  /** About how many rows there are; 0: unknown. */
  rows: number
}

/**
 * Writes all rows as lines of JSON, from one snapshot, while others write. The export moves data to another PostgreSQL
 * version, or between an embedded database and a server. It has no schema; the migrations create that.
 */
export async function exportData(
  database: Database,
  write: (lines: string) => void | Promise<void>,
  about: Omit<About, 'rows'>,
  how?: SnapshotOptions,
): Promise<void> {
  const mark = (value: Mark) => write(`${JSON.stringify(value)}\n`)
  await database.snapshot(async (db) => {
    await mark(['about', { ...about, rows: await estimateOf(db) }])
    await mark(['migrations', await migrations(db)])
    await db.query(raw(NEXT_LINES))
    let count = 0
    for (const { name } of await tables(db)) {
      await mark(['table', name])
      await db.query(sql`declare export no scroll cursor for select to_jsonb(t)::text as line from ${raw(name)} t`)
      for (;;) {
        const rows = await db.query<{ line: string }>(sql`select line from pg_temp.next_lines(${BATCH_BYTES}) as line`)
        if (rows.length === 0) break
        count += rows.length
        await write(rows.map(({ line }) => `${line}\n`).join(''))
      }
      await db.query(sql`close export`)
    }
    for (const { name, value } of await sequences(db)) await mark(['sequence', name, value])
    await db.query(sql`drop function pg_temp.next_lines`)
    await mark(['end', count])
  }, how)
}

// FETCH counts rows, and rows differ in size by a factor of a million.
const NEXT_LINES = `
  create function pg_temp.next_lines(bytes int) returns setof text language plpgsql as $$
  declare
    lines refcursor := 'export';
    line text;
    taken int := 0;
  begin
    while taken < bytes loop
      fetch lines into line;
      exit when not found;
      return next line;
      taken := taken + octet_length(line);
    end loop;
  end $$`

/**
 * Replaces all rows by those of an export, or changes nothing. The database must have run the same migrations, by the
 * user that calls. `check` sees the new rows; when it throws, nothing changes. Returns how many rows there are.
 */
export async function importData(
  database: Database,
  lines: AsyncIterable<string>,
  check?: (db: Db) => Promise<void>,
): Promise<number> {
  let isRead = false
  const imported = database.transaction((db) =>
    withoutReferences(db, async () => {
      // A transaction that others are in the way of runs again, but the lines can be read only once.
      if (isRead) throw new Error('Others write to the database; nothing was changed. Stop them, and import again.')
      isRead = true
      const columns = new Map((await tables(db)).map((table) => [table.name, table.columns]))
      for (const name of columns.keys()) await db.query(sql`delete from ${raw(name)}`)
      const count = await insertAll(db, columns, lines)
      await check?.(db)
      return count
    }),
  )
  return imported.catch((error: unknown) => {
    throw explained(error)
  })
}

/**
 * An error that shows damage, as such: bytes that are no text, values that do not fit (22…), broken constraints (23…).
 * So does one of a server without room.
 */
function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new Error(`${DAMAGED} What \`precedent backup\` wrote, \`precedent restore\` reads.`, { cause: error })
  }
  if (isServerTrouble(error)) {
    const what = isFull(error) ? 'The disk of the database is full' : 'The server of the database has trouble'
    return new Error(`${what}: ${error.message}. Nothing was changed.`, { cause: error })
  }
  if (!(error instanceof DatabaseError) || !/^2[23]/.test(code)) return error
  return new Error(`${DAMAGED} PostgreSQL refuses a row: ${error.message}`, { cause: error })
}

async function insertAll(db: Db, columns: Map<string, string>, lines: AsyncIterable<string>): Promise<number> {
  let table = ''
  let rows: string[] = []
  let [count, bytes, isOfVersion] = [0, 0, false]
  const insertRows = async () => {
    await insert(db, table, columns.get(table), rows)
    count += rows.length
    bytes = 0
    rows = []
  }
  for await (const line of lines) {
    const mark = readMark(line)
    if (mark?.[0] === 'migrations') isOfVersion = true
    else if (mark?.[0] !== 'about' && !isOfVersion) throw new Error(`${DAMAGED} Its beginning is missing.`)
    if (!mark) {
      rows.push(line)
      bytes += line.length
      if (rows.length === BATCH || bytes > BATCH_BYTES) await insertRows()
      continue
    }
    await insertRows()
    await follow(db, mark)
    if (mark[0] === 'table') table = mark[1]
    if (mark[0] === 'end') {
      const [, announced = count] = mark
      if (announced === count) return count
      throw new Error(`The export announces ${announced} rows and has ${count}; nothing was changed.`)
    }
  }
  throw new Error('The export is not complete; nothing was changed.')
}

const DAMAGED = 'This is no export of Precedent, or it is damaged; nothing was changed.'

/** The mark in a line; undefined for a row. */
function readMark(line: string): Mark | undefined {
  if (!line.startsWith('[')) return undefined
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new Error(DAMAGED, { cause })
  }
}

/**
 * Rows arrive table by table, not in the order of their foreign keys. Some users may switch the keys off; an owner of
 * the tables may have them checked at the end.
 */
async function withoutReferences<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const [user] = await db.query<{ may: boolean }>(
    sql`select has_parameter_privilege('session_replication_role', 'set') as may`,
  )
  if (user?.may) {
    await db.query(sql`set local session_replication_role = replica`)
    return work()
  }
  const keys = await db.query<{ table: string; name: string }>(sql`
    select conrelid::regclass::text as table, quote_ident(conname) as name
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = ${OWN_SCHEMA}`)
  const alter = async (how: string) => {
    for (const { table, name } of keys) await db.query(raw(`alter table ${table} alter constraint ${name} ${how}`))
  }
  await alter('deferrable initially deferred')
  const result = await work()
  await db.query(sql`set constraints all immediate`)
  await alter('not deferrable')
  return result
}

async function follow(db: Db, mark: Mark): Promise<void> {
  // Exports of earlier versions name the schema too.
  if (mark[0] === 'sequence') await advance(db, mark[1].replace(/^public\./, ''), mark[2])
  if (mark[0] === 'migrations' && mark[1] !== (await migrations(db))) {
    throw new Error(
      'The export comes from a version of Precedent with other migrations; nothing was changed. Import it with that ' +
        'version. If that is an earlier one, `precedent restore` fills a new database of this version with it.',
    )
  }
}

/**
 * Sets a sequence to the value, but never back: a sequence does not take part in the transaction. Where that fails, the
 * rows that were there stay, and their ids are taken.
 */
async function advance(db: Db, name: string, value: number): Promise<void> {
  await db.query(sql`
    select setval(
      ${name}::regclass,
      greatest(${value}::bigint, pg_sequence_last_value(${name}::regclass))
    )`)
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

/** About how many rows all tables have, by the statistics of the planner. */
async function estimateOf(db: Db): Promise<number> {
  const [row] = await db.query<{ rows: number }>(sql`
    select coalesce(sum(greatest(reltuples, 0)), 0)::bigint as rows
    from pg_class
    where relkind = 'r' and relnamespace = ${OWN_SCHEMA}`)
  return row?.rows ?? 0
}

/** The first table that has rows; undefined for a database without data. */
export async function findData(db: Db): Promise<string | undefined> {
  for (const { name } of await tables(db)) {
    const [row] = await db.query(sql`select 1 as one from ${raw(name)} limit 1`)
    if (row) return name
  }
  return undefined
}

/** The names of the migrations that the database has run, separated by spaces. */
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
    and c.relnamespace = ${OWN_SCHEMA}
    and c.relname <> 'migration'
    group by c.oid
    order by name`)
}

function sequences(db: Db): Promise<{ name: string; value: number }[]> {
  return db.query(sql`
    select quote_ident(sequencename) as name, last_value as value
    from pg_sequences
    where schemaname = (select nspname from pg_namespace where oid = ${OWN_SCHEMA})
    and last_value is not null`)
}
