import { raw, type Sql, sql } from '../../platform/db/db.ts'

/** The tables whose rows live in an organization under a key. */
type Table = 'folder' | 'document'

/**
 * SQL: the rows of an organization by their keys, as `(api_key, organization_key, key, id)`, each held in the order of
 * keys, so that two calls never wait for each other. One look-up per key, whatever the planner knows of the table.
 */
export const lockedRows = (
  table: Table,
  lock: 'for update' | 'for no key update',
  of: { apiKey: string; organizationKey: string; keys: string[] | Sql },
): Sql => sql`
  select r.api_key, r.organization_key, r.key, r.id
  from (select k from ${Array.isArray(of.keys) ? sql`unnest(${of.keys}::uuid[]) as u (k)` : of.keys} order by k) u
  cross join lateral (
    select t.api_key, t.organization_key, t.key, t.id
    from ${raw(table)} t
    where t.api_key = ${of.apiKey} and t.organization_key = ${of.organizationKey} and t.key = u.k
    offset 0
    ${raw(lock)}
  ) r`
