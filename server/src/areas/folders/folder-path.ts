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
  // One condition for all keys: without statistics the planner may read the organization, but then only once.
  const rows = await db.query<{ key: string; path: string[] }>(sql`
    select key, path
    from folder
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and key = any(${[...new Set(keys)]}::uuid[])`)
  return new Map(rows.map(({ key, path }) => [key, path]))
}
