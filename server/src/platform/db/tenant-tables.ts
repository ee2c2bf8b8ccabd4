import { type Db, raw, sql } from './db.ts'
import { OWN_SCHEMA } from './own-schema.ts'

/**
 * Every table of tenant data, each before the tables that it refers to. So no cascade removes more than a batch. The
 * order is that of the longest path of references; a reference of a table to itself does not count.
 */
export async function tenantTables(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    with recursive tenant_table as (
      select c.oid, c.relname as name
      from pg_class c
      where c.relnamespace = ${OWN_SCHEMA} and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'api_key')
    ), path as (
      select oid, name, 0 as depth from tenant_table
      union
      select t.oid, t.name, p.depth + 1
      from path p
      join pg_constraint f on f.contype = 'f' and f.conrelid = p.oid and f.confrelid <> f.conrelid
      join tenant_table t on t.oid = f.confrelid
      where p.depth < 20
    )
    select name from path group by name order by max(depth), name`)
  return rows.map(({ name }) => name)
}

/**
 * Every table with rows that the deletion of an organization takes along, each before the tables that it refers to.
 * Each has the columns `api_key` and `organization_key`, and an index that begins with them.
 */
export async function organizationTables(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    with recursive path as (
      select 'organization'::regclass as oid, 0 as depth
      union
      select f.conrelid::regclass, p.depth + 1
      from path p
      join pg_constraint f on f.contype = 'f' and f.confrelid = p.oid and f.confrelid <> f.conrelid
      where p.depth < 20
    )
    select oid::text as name from path where depth > 0 group by oid order by max(depth) desc, 1`)
  return rows.map(({ name }) => name)
}

/**
 * Deletes at most `limit` rows of an organization, and returns how many. Of folders, the newest go first: most are
 * newer than the one that they are in, so that one seldom takes along others.
 */
export async function deleteOrganizationRows(
  db: Db,
  table: string,
  { apiKey, organizationKey }: { apiKey: string; organizationKey: string },
  limit: number,
): Promise<number> {
  const chosen =
    table === 'folder'
      ? sql`organization_key::text = ${organizationKey}::text order by seq desc`
      : sql`organization_key = ${organizationKey}`
  const rows = await db.query(sql`
    delete from ${raw(table)}
    where api_key = ${apiKey} and organization_key = ${organizationKey}
      and ctid = any(array(
        select ctid
        from ${raw(table)}
        where api_key = ${apiKey} and ${chosen}
        limit ${limit}))
    returning 1 as deleted`)
  return rows.length
}

/**
 * Deletes about `limit` rows of one tenant at most, and returns how many. Row addresses repeat between partitions, so
 * it may be a few more.
 */
export async function deleteTenantRows(db: Db, table: string, apiKey: string, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from ${raw(table)}
    where api_key = ${apiKey}
      and ctid = any(array(select ctid from ${raw(table)} where api_key = ${apiKey} limit ${limit}))
    returning 1 as deleted`)
  return rows.length
}
