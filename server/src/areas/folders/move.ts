import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { MAX_LEVEL } from './folder.ts'
import { childrenOf } from './path.ts'

/**
 * Gives folders their new paths and everything below them the paths that follow, in one statement. The organization's
 * tree is locked, and the paths hold no circle. One that was never given an access type inherits as soon as it is in
 * another folder: it has none of its own to keep. FAILED_PRECONDITION when the tree would get too deep.
 */
export async function moveFolders(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  moves: ReadonlyMap<string, string[]>,
): Promise<void> {
  if (moves.size === 0) return
  const keys = [...moves.keys()]
  const [deepest] = await db.query<{ level: number }>(sql`
    with recursive moved as (
      select key, path::uuid[] as path
      from unnest(${keys}::uuid[], ${[...moves.values()].map((path) => `{${path}}`)}::text[]) as m (key, path)
    ),
    tree as (
      select ${tenant.apiKey} as api_key, ${organizationKey}::uuid as organization_key, key, path from moved
      union all
      select f.api_key, f.organization_key, f.key, t.path || t.key
      from tree t
      cross join lateral (${childrenOf(tenant.apiKey, organizationKey)}) f
      where f.key not in (select key from moved)
    ),
    placed as (
      update folder f
      set path = t.path,
        parent_key = t.path[cardinality(t.path)],
        inherit_access = f.inherit_access or (f.access_type is null and cardinality(t.path) > 0),
        updated_at = case when f.key in (select key from moved) then now_ms() else f.updated_at end
      from tree t
      where f.api_key = t.api_key and f.organization_key = t.organization_key and f.key = t.key
      returning cardinality(f.path) + 1 as level
    )
    select max(level) as level from placed`)
  if (deepest && deepest.level > MAX_LEVEL) {
    throw new ApiError('FAILED_PRECONDITION', `Folders nest at most ${MAX_LEVEL} levels deep; nothing was moved.`)
  }
}
