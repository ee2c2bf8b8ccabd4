import { empty, raw, type Sql, sql } from '../../platform/db/db.ts'

/** The tables whose rows belong to an organization and have a key in it. */
type Table = 'folder' | 'document'

interface Rows {
  apiKey: string
  organizationKey: string
  keys: string[] | Sql
}

/**
 * SQL that locks rows of an organization by their keys and returns them as `(api_key, organization_key, key, id)`. It
 * locks in the order of the keys, so that two calls cannot deadlock. An update of the rows is a statement of its own,
 * after it: in one, PostgreSQL deadlocks on a row that others hold a key share of.
 */
export const lockRows = (table: Table, lock: 'for update' | 'for no key update', of: Rows): Sql =>
  lookUp(table, raw(lock), of)

/** SQL that looks the same rows up without a lock, for the statement after it. */
export const lockedRows = (table: Table, of: Rows): Sql => lookUp(table, empty, of)

/** The same for organizations, as `(key, id)`. */
export const lockOrganizations = (apiKey: string, keys: string[]): Sql => sql`
  ${lockedOrganizations(apiKey, keys)}
  order by key
  for no key update`
/** SQL that looks the same organizations up without a lock. */
export const lockedOrganizations = (apiKey: string, keys: string[]): Sql => sql`
  select key, id
  from organization
  where api_key = ${apiKey} and key = any(${keys}::uuid[])`

/** The lateral join forces one look-up per key, whatever statistics the table has. */
const lookUp = (table: Table, lock: Sql, of: Rows): Sql => sql`
  select r.api_key, r.organization_key, r.key, r.id
  from (select k from ${Array.isArray(of.keys) ? sql`unnest(${of.keys}::uuid[]) as u (k)` : of.keys} order by k) u
  cross join lateral (
    select t.api_key, t.organization_key, t.key, t.id
    from ${raw(table)} t
    where t.api_key = ${of.apiKey} and t.organization_key = ${of.organizationKey} and t.key = u.k
    offset 0
    ${lock}
  ) r`
