import { lastById, resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { ensureStatistics, HUNDREDS_OF_ROWS } from '../../platform/db/statistics.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { mayMerge, merged, OUTGROWN, oversizedItems } from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { lockedRows, lockRows } from '../organizations/lock-rows.ts'
import { lockOrganization } from '../organizations/organization.ts'
import { FolderChange, folderMetadata, ROOT } from './folder.ts'
import { readPaths } from './folder-path.ts'
import { moveFolders } from './move-folders.ts'

/** Renames folders, moves them with everything below them, changes access types and custom metadata. */
export const updateFolders = operation({
  path: '/v2/organizations/folders/update',
  twin: '/v1/organizations/folders/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update or move folders',
  description:
    'A `parentFolderId` moves the folder with everything in it; a move into itself is refused. A folder that was never ' +
    'given an `accessType` inherits that of the folder it is moved into.',
  input: Type.Object({ organizationId: identifier('Id of the organization.'), folders: Type.Array(FolderChange) }),
  example: { organizationId: 'example', folders: [{ folderId: 'autumn', folderName: 'Autumn campaign' }] },
  output: mapOf(itemResult(), 'One result per folder id.'),
  errors: ['NOT_FOUND'],
  message: 'Folder Updated successfully.',
  check: ({ folders }) => oversizedItems('folders', folders),
}).run(async ({ db, tenant, input }) => {
  const organization = await lockOrganization(db, tenant, input.organizationId, { create: false })
  // Without statistics each folder below one that moves might be looked up among all of the organization.
  if (input.folders.some(({ parentFolderId }) => parentFolderId !== undefined))
    await ensureStatistics(db, HUNDREDS_OF_ROWS)
  const folders = lastById(input.folders, (folder) => folder.folderId)
  const ids = [...folders.values()].flatMap(({ folderId, parentFolderId = ROOT }) => [folderId, parentFolderId])
  const [paths, grown] = await Promise.all([
    readPaths(db, tenant, organization.key, ids.map(keyOf)),
    outgrownBy(db, tenant, organization.key, [...folders.values()]),
  ])
  const faults = await moveFolders(db, tenant, organization.key, { folders, paths, faults: grown })
  const list = [...folders.values()].filter(({ folderId }) => !faults.has(folderId))
  const keys = list.map(({ folderId }) => keyOf(folderId))
  const rows = { apiKey: tenant.apiKey, organizationKey: organization.key, keys }
  db.send(lockRows('folder', 'for no key update', rows))
  await db.query(sql`
    with target as materialized (${lockedRows('folder', rows)})
    update folder f
    set name = case when i.clears_name then null else coalesce(i.name, f.name) end,
      access_type = coalesce(i.access_type, f.access_type),
      inherit_access = f.inherit_access and i.access_type is null,
      metadata = ${merged(sql`f.metadata`, sql`i.metadata`)},
      updated_at = now_ms()
    from target t
    join unnest(
      ${keys}::uuid[],
      ${list.map((folder) => folder.folderName ?? null)}::text[],
      ${list.map((folder) => folder.folderName === null)}::boolean[],
      ${list.map((folder) => folder.accessType ?? null)}::text[],
      ${list.map((folder) => json(folderMetadata(folder)))}::jsonb[]
    ) as i (key, name, clears_name, access_type, metadata) on i.key = t.key
    where f.api_key = t.api_key and f.organization_key = t.organization_key and f.key = t.key`)
  return resultsOf(folders.keys(), (id) => {
    const fault = faults.get(id)
    return fault === undefined ? { success: true, message: 'Folder Updated.' } : { success: false, message: fault }
  })
})

/** The folders whose custom metadata would exceed the limit. The organization's tree must be locked. */
async function outgrownBy(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  folders: Static<typeof FolderChange>[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string }>(sql`
    select i.id
    from unnest(
      ${folders.map(({ folderId }) => folderId)}::text[],
      ${folders.map(({ folderId }) => keyOf(folderId))}::uuid[],
      ${folders.map((folder) => json(folderMetadata(folder)))}::jsonb[]
    ) as i (id, key, metadata)
    cross join lateral (
      select metadata
      from folder
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = i.key
      offset 0
    ) f
    where not (${mayMerge(sql`f.metadata`, sql`i.metadata`)})`)
  return new Map(rows.map(({ id }) => [id, OUTGROWN]))
}
