import { type Db, raw, sql } from './db.ts'

/**
 * Gives statistics to the tables with foreign keys that hold much and were never analyzed, or when they had a tenth of it, as
 * after a first import. To be called before a deletion that cascades: every row looks for those that reference it, by a
 * plan that is kept, which without statistics takes an index that reads all of their organization, and from when they were
 * small reads the whole table, so that the time grows with the square of what is deleted.
 */
export async function ensureStatistics(db: Db): Promise<void> {
  const tables = await db.query<{ name: string }>(sql`
    select c.oid::regclass::text as name
    from pg_class c
    where c.relkind = 'r' and pg_relation_size(c.oid) > greatest(1048576, 10 * 8192 * c.relpages::bigint)
      and exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f')
    order by 1`)
  if (tables.length > 0) await db.query(sql`analyze ${raw(tables.map(({ name }) => name).join(', '))}`)
}
