import { raw, type Sql, sql } from '../../platform/db/db.ts'

/** The tables whose rows belong to an organization and have a key in it. */
type Table = 'folder' | 'document'

/**
 * SQL that locks rows of an organization by their keys and returns them as `(api_key, organization_key, key, id)`. It
 * locks in the order of the keys, so that two calls cannot deadlock. The lateral join forces one look-up per key,
 * whatever statistics the table has.
 */
export const lockRows = (
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
