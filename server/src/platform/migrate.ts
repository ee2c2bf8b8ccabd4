import { readdir, readFile } from 'node:fs/promises'
import { type Database, sql } from './db/db.ts'
import { ID_DIGITS } from './id.ts'

/** The folder of the migrations: beside the built program, or in the source tree. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../migrations/' : './migrations/', import.meta.url)

/** An arbitrary but fixed number: processes that start together wait for one another. */
const LOCK = 727_001

/**
 * Brings the schema up to date: plain SQL files in the order of their names, forward only. Each runs in one transaction
 * with its own record. Safe when several processes start at once.
 */
export async function migrate(database: Database): Promise<void> {
  await checkOrder(database)
  await database.script(`
    select pg_advisory_xact_lock(${LOCK});
    create table if not exists migration (name text primary key, applied_at timestamptz not null default now());`)
  const applied = new Set(
    (await database.query<{ name: string }>(sql`select name from migration`)).map((row) => row.name),
  )
  for (const name of await migrationNames()) {
    if (!applied.has(name)) await apply(database, name)
  }
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
export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
}

async function apply(database: Database, name: string): Promise<void> {
  const text = await readFile(new URL(name, FOLDER), 'utf8')
  // Checked again under the lock: another process may have applied it since.
  await database.script(`
    select pg_advisory_xact_lock(${LOCK});
    do $apply$ begin
      if not exists (select from migration where name = '${name}') then
        execute $migration$${text}$migration$;
        insert into migration (name) values ('${name}');
      end if;
    end $apply$;`)
}
