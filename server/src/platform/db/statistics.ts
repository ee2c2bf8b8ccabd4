import { type Db, raw, sql } from './db.ts'

/**
 * Gives statistics to the tables with foreign keys that hold much but were never analyzed, as after a first import. To be
 * called before a deletion that cascades: every row looks for those that reference it, and a planner without statistics
 * takes an index that reads all of their organization, so that the time grows with the square of what is deleted.
 */
export async function ensureStatistics(db: Db): Promise<void> {
  const tables = await db.query<{ name: string }>(sql`
    select c.oid::regclass::text as name
    from pg_class c
    where c.relkind = 'r' and c.reltuples < 0 and pg_relation_size(c.oid) > 1048576
      and exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f')
    order by 1`)
  if (tables.length > 0) await db.query(sql`analyze ${raw(tables.map(({ name }) => name).join(', '))}`)
}
