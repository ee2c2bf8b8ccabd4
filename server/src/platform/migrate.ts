import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Database, sql } from './db/db.ts'
import { ID_DIGITS } from './id.ts'
import type { Log } from './log.ts'
import { buildIndexes, changeTables, GIVE_WAY, MARK } from './migrate-outside.ts'

/** The folder of the migrations: beside the built program, or in the source tree. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../migrations/' : './migrations/', import.meta.url)

/** An arbitrary but fixed number: processes that start together wait for one another. */
const LOCK = 727_001

interface Choice {
  log?: Pick<Log, 'warn'>
  /** How often a long wait is told. */
  toldEveryMs?: number
  folder?: URL
  /** Whether to apply the migration; others are left for later. */
  isDue?: (name: string) => boolean
}

/**
 * Brings the schema up to date: plain SQL files in the order of their names, forward only. Each runs in one transaction
 * with its own record, or outside of one if it is marked so. Safe when several processes start at once.
 */
export async function migrate(
  database: Database,
  { log, toldEveryMs = 10_000, folder = FOLDER, isDue = () => true }: Choice = {},
): Promise<void> {
  // The embedded one is always made in the right way.
  if (database.kind !== 'embedded') {
    await checkMaking(database)
    await checkOrder(database)
  }
  // Another process may take long over the migration that it waits for.
  const prepared = database.script(`
    set local statement_timeout = 0;
    select pg_advisory_xact_lock(${LOCK});
    create table if not exists migration (name text primary key, applied_at timestamptz not null default now());`)
  await tellWhile(prepared, 'waiting for another process that migrates the database')
  const applied = new Set(
    (await database.query<{ name: string }>(sql`select name from migration`)).map((row) => row.name),
  )
  for (const name of await migrationNames(folder)) {
    if (applied.has(name) || !isDue(name)) continue
    const applying = apply(database, name, await readFile(new URL(name, folder), 'utf8')).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`The migration ${name} failed: ${reason}`, { cause: error })
    })
    await tellWhile(applying, `the migration ${name} takes long, or waits for transactions of others`)
  }

  /** A start that says nothing for long is taken for dead. */
  async function tellWhile(work: Promise<void>, what: string): Promise<void> {
    const begun = performance.now()
    const tell = () => log?.warn({ seconds: Math.round((performance.now() - begun) / 1000) }, what)
    const timer = setInterval(tell, toldEveryMs)
    await work.finally(() => clearInterval(timer))
  }
}

/** Texts are UTF-8, of which other encodings lack most characters or count bytes; and tables must be made. */
async function checkMaking(database: Database): Promise<void> {
  const [found] = await database.query<Making>(sql`
    select
      current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only') = 'on' as "isReadOnly",
      quote_ident(current_schema()) as schema,
      (select relnamespace::regnamespace::text from pg_class where oid = to_regclass('migration')) as holder,
      current_setting('search_path') as path,
      has_schema_privilege(current_schema(), 'create') as "mayCreate",
      format('alter database %I owner to %I', current_database(), current_user) as mend`)
  if (found?.encoding !== 'UTF8') {
    throw new Error(
      `The database has the encoding ${found?.encoding}. Create it with ENCODING 'UTF8' TEMPLATE template0.`,
    )
  }
  if (found.isReadOnly) {
    throw new Error(
      'The database takes no writes. Let DATABASE_URL lead to the primary instead of a standby, or set default_transaction_read_only to off.',
    )
  }
  if (found.schema === null) {
    throw new Error(
      `The search_path of the database's user names no schema that exists and may be used: ${found.path}. Create one of them, or set search_path to another.`,
    )
  }
  // A schema of the user's name that is made later comes before `public`, and would get new, empty tables.
  if (found.holder !== null && found.holder !== found.schema) {
    throw new Error(
      `The schema ${found.holder} holds the tables of the service, and the search_path of the database's user begins with ${found.schema}. Let it begin with ${found.holder}.`,
    )
  }
  if (found.mayCreate) return
  throw new Error(`The user of the database may not create tables in it. As its administrator, run: ${found.mend}`)
}

interface Making {
  encoding: string
  isReadOnly: boolean
  /** Where tables are made; null where the search_path has no such place. */
  schema: string | null
  /** Where those of the service are. */
  holder: string | null
  path: string
  mayCreate: boolean
  mend: string
}

/** Ids begin with their time, so they must sort by their bytes. Some languages sort y before i, or ch after c. */
async function checkOrder(database: Database): Promise<void> {
  const [order] = await database.query<{ byBytes: boolean; collation: string }>(sql`
    select array_agg(pair order by pair) = array_agg(pair order by pair collate "C") as "byBytes",
      (
        -- The name of an ICU locale: PostgreSQL 15 and 16, then 17.
        select coalesce(to_jsonb(d) ->> 'daticulocale', to_jsonb(d) ->> 'datlocale', d.datcollate)
        from pg_database d
        where d.datname = current_database()
      ) as collation
    from (
      select 'msg_0' || a || b as pair
      from string_to_table(${ID_DIGITS}, null) a
      cross join string_to_table(${ID_DIGITS}, null) b
    ) pairs`)
  if (order?.byBytes) return
  throw new Error(
    `The database sorts text by the rules of a language (${order?.collation}) by which ids are out of order. Create it with LOCALE_PROVIDER libc LC_COLLATE 'C' TEMPLATE template0.`,
  )
}

/** The names of all migrations, in order. */
export async function migrationNames(folder = FOLDER): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** A digest of all migrations, their order included. */
export async function migrationsDigest(): Promise<string> {
  const digest = createHash('sha256')
  for (const name of await migrationNames()) digest.update(`${name}\n`).update(await readFile(new URL(name, FOLDER)))
  return digest.digest('hex')
}

async function apply(database: Database, name: string, text: string): Promise<void> {
  if (!text.startsWith(MARK)) return applyInside(database, name, text)
  // Nobody else writes meanwhile to a database with one session, so it builds its indexes in the plain way.
  if (database.kind === 'embedded') return applyInside(database, name, text.replaceAll(/\bconcurrently\b/gi, ''))
  await buildIndexes(database, name, text)
}

const applyInside = (database: Database, name: string, text: string): Promise<void> =>
  changeTables(database, scriptOf(name, text))

// Checked again under the lock: another process may have applied it since.
const scriptOf = (name: string, text: string) => `
  select pg_advisory_xact_lock(${LOCK});
  ${GIVE_WAY}
  do $apply$ begin
    if not exists (select from migration where name = '${name}') then
      execute $migration$${text}$migration$;
      insert into migration (name) values ('${name}');
    end if;
  end $apply$;`
