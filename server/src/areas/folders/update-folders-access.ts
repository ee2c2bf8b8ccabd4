import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, nullable, Type } from '../../platform/schema.ts'
import { lockRows } from '../organizations/lock-rows.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { AccessType } from './access-type.ts'

/** Sets the access type of folders, or lets them inherit that of the folder above. */
export const updateFoldersAccess = operation({
  path: '/v2/organizations/folders/access/update',
  twin: '/v1/organizations/folders/access/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Set the access type of folders',
  description: 'Setting `accessType` ends the inheritance; `inheritFromParent: true` takes the own access type away.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    folderIds: Type.Array(identifier('Id of a folder.')),
    accessType: Type.Optional(AccessType),
    inheritFromParent: Type.Optional(Type.Boolean({ description: 'When true, `accessType` does not matter.' })),
  }),
  output: mapOf(
    itemResult({
      accessType: Type.Optional(nullable(AccessType)),
      inheritFromParent: Type.Optional(Type.Boolean()),
    }),
    'One result per folder id.',
  ),
  errors: ['NOT_FOUND'],
  message: 'Folder access type updated successfully.',
}).run(async ({ db, tenant, input }) => {
  const organization = await ensureOrganization(db, tenant, input.organizationId, false)
  const ids = new Set(input.folderIds)
  const inheritFromParent = input.inheritFromParent === true
  const accessType = inheritFromParent ? null : (input.accessType ?? 'public')
  const rows = { apiKey: tenant.apiKey, organizationKey: organization.key, keys: [...ids].map(keyOf) }
  const updated = await db.query<{ id: string }>(sql`
    with target as materialized (${lockRows('folder', 'for no key update', rows)})
    update folder f
    set access_type = ${accessType}, inherit_access = ${inheritFromParent}, updated_at = now_ms()
    from target t
    where f.api_key = t.api_key and f.organization_key = t.organization_key and f.key = t.key
    returning f.id`)
  const known = new Set(updated.map(({ id }) => id))
  return resultsOf(ids, (id) =>
    known.has(id)
      ? { success: true, accessType, inheritFromParent, message: 'Folder access type updated.' }
      : { success: false, message: 'Folder does not exist.' },
  )
})
