import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'

/** SQL: the children of a row `t` of folders. It forces one look-up per row, whatever statistics the table has. */
export const childrenOf = (apiKey: string, organizationKey: string): Sql => sql`
  select c.*
  from folder c
  where c.api_key = ${apiKey} and c.organization_key = ${organizationKey} and c.parent_key = t.key
  offset 0`

/**
 * Reads the keys of the folders above each given folder, from the top downward. Folders that do not exist are left out.
 */
export async function readPaths(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  keys: string[],
): Promise<Map<string, string[]>> {
  const rows = await db.query<{ key: string; path: string[] }>(sql`
    select f.key, f.path
    from unnest(${[...new Set(keys)]}::uuid[]) as u (key)
    cross join lateral (
      select key, path
      from folder
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = u.key
      offset 0
    ) f`)
  return new Map(rows.map(({ key, path }) => [key, path]))
}
