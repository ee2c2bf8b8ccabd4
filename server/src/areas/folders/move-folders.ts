import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { folderAccessType, inheritedAccessType, keptAccessType } from './access-type.ts'
import { MAX_LEVEL } from './folder.ts'
import { childrenOf } from './folder-path.ts'
import { placeMoved } from './place-moved.ts'

interface Moves {
  /** The requested moves, by folder id. */
  folders: ReadonlyMap<string, { parentFolderId?: string }>
  /** The folders above each folder and each parent that exists, by key. */
  paths: ReadonlyMap<string, string[]>
  /** Why some folders must not be moved, by id. */
  faults: ReadonlyMap<string, string>
}

/**
 * Moves folders with everything below them. Returns by id why some were not moved: an earlier fault, a parent that does
 * not exist or is below, or a tree that would get too deep. The organization's tree must be locked.
 */
export async function moveFolders(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { folders, paths, faults }: Moves,
): Promise<ReadonlyMap<string, string>> {
  const placed = placeMoved(folders, paths, faults)
  const tooDeep = new Set(await place(db, tenant, organizationKey, placed.moves))
  if (tooDeep.size === 0) return placed.faults
  const deep = [...folders.keys()].filter((id) => tooDeep.has(keyOf(id)))
  const known = new Map([
    ...faults,
    ...deep.map((id) => [id, `Folders nest at most ${MAX_LEVEL} levels deep.`] as const),
  ])
  return moveFolders(db, tenant, organizationKey, { folders, paths, faults: known })
}

/**
 * Writes the new paths of folders and of everything below them in one statement; the paths must contain no cycle. If
 * the tree would get too deep, it changes nothing and returns the folders that cause it. A folder that was never given
 * an access type inherits from its new parent, or keeps what it inherited as its own where the new place is more open.
 */
async function place(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  moves: ReadonlyMap<string, string[]>,
): Promise<string[]> {
  if (moves.size === 0) return []
  const keys = [...moves.keys()]
  const tooDeep = await db.query<{ key: string }>(sql`
    with recursive moved as (
      select key, path::uuid[] as path
      from unnest(${keys}::uuid[], ${[...moves.values()].map((path) => `{${path}}`)}::text[]) as m (key, path)
    ),
    tree as (
      select ${tenant.apiKey} as api_key, ${organizationKey}::uuid as organization_key, key, path, key as top from moved
      union all
      select f.api_key, f.organization_key, f.key, t.path || t.key, t.top
      from tree t
      cross join lateral (${childrenOf(tenant.apiKey, organizationKey)}) f
      where f.key not in (select key from moved)
    ),
    too_deep as materialized (
      select distinct top from tree where cardinality(path) >= ${MAX_LEVEL}::integer
    ),
    settled as materialized (
      select t.*, case when t.key = t.top and (f.inherit_access or f.access_type is null) then
          ${keptAccessType(folderAccessType, inheritedAccessType(sql`t.path`))} end as kept
      from tree t
      cross join lateral (
        select *
        from folder
        where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = t.key
        offset 0
      ) f
    ),
    placed as (
      update folder f
      set path = t.path,
        parent_key = t.path[cardinality(t.path)],
        access_type = coalesce(f.access_type, t.kept),
        inherit_access = t.kept is null
          and (f.inherit_access or (f.access_type is null and cardinality(t.path) > 0)),
        updated_at = case when f.key in (select key from moved) then now_ms() else f.updated_at end
      from settled t
      where f.api_key = ${tenant.apiKey} and f.organization_key = ${organizationKey} and f.key = t.key
        and not exists (select from too_deep)
    )
    select top as key from too_deep`)
  return tooDeep.map(({ key }) => key)
}
