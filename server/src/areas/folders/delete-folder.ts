import { sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { lockRows } from '../organizations/lock-rows.ts'
import { lockOrganization } from '../organizations/organization.ts'
import { missingFolder } from './folder.ts'
import { foldersDeleted } from './folder-event.ts'
import { childrenOf } from './folder-path.ts'

/** Deletes a folder for good, with every folder and document below it. */
export const deleteFolder = operation({
  path: '/v2/organizations/folders/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete a folder',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    folderId: identifier('Id of the folder.'),
  }),
  example: { organizationId: 'example', folderId: 'autumn' },
  output: Type.Null(),
  errors: ['NOT_FOUND'],
  message: 'Folder deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const { organizationId, folderId } = input
  const organization = await lockOrganization(db, tenant, organizationId, { create: false })
  // Locks the folders before it reads what is in them, so that nothing can be added in between.
  const folders = await db.query<{ key: string; id: string }>(sql`
    with recursive tree as (
      select key
      from folder
      where api_key = ${tenant.apiKey} and organization_key = ${organization.key} and key = ${keyOf(folderId)}
      union all
      select f.key
      from tree t
      cross join lateral (${childrenOf(tenant.apiKey, organization.key)}) f
    )
    ${lockRows('folder', 'for update', {
      apiKey: tenant.apiKey,
      organizationKey: organization.key,
      keys: sql`tree as u (k)`,
    })}`)
  if (folders.length === 0) throw missingFolder(folderId)
  await emit(
    foldersDeleted,
    folders.map(({ key, id }) => ({ organizationKey: organization.key, organizationId, folderKey: key, folderId: id })),
  )
  await ensureStatistics(db)
  await db.query(sql`
    delete from folder
    where api_key = ${tenant.apiKey} and organization_key = ${organization.key} and key = ${keyOf(folderId)}`)
  return null
})
