import { type Db, raw, sql } from './db.ts'

const LARGE = 1_048_576

/** Bytes of a table with some hundred rows. */
export const HUNDREDS_OF_ROWS = 32_768

/**
 * Analyzes tables with foreign keys that are large and unanalyzed, or have grown tenfold, as after a first import. Call
 * it before a cascading delete. Each deleted row looks up the rows that reference it, by a cached plan. Without
 * statistics that plan may read a whole organization. The time would grow with the square of the rows. Large is more
 * than `bytes`.
 */
export async function ensureStatistics(db: Db, bytes = LARGE): Promise<void> {
  const tables = await db.query<{ name: string }>(sql`
    select c.oid::regclass::text as name
    from pg_class c
    where c.relkind = 'r'
      and pg_relation_size(c.oid) > greatest(${bytes}::bigint, 10 * 8192 * case
        -- It was analyzed while an import into it had not been committed.
        when c.reltuples = 0 and pg_stat_get_mod_since_analyze(c.oid) > 0 then 0
        else c.relpages::bigint
      end)
      and exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f')
    order by 1`)
  if (tables.length > 0) await db.query(sql`analyze ${raw(tables.map(({ name }) => name).join(', '))}`)
}
