import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, nullable, Type } from '../../platform/schema.ts'
import { lockedRows, lockRows } from '../organizations/lock-rows.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { accessTypeOfNew } from '../workspaces/setting/api-key-options.ts'
import { AccessType, folderAccessType } from './access-type.ts'

/** Sets the access type of folders, or lets them inherit that of the folder above. */
export const updateFoldersAccess = operation({
  path: '/v2/organizations/folders/access/update',
  twin: '/v1/organizations/folders/access/update',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Set the access type of folders',
  description:
    'Setting `accessType` ends the inheritance. `inheritFromParent: true` takes the own access type away; a folder at ' +
    'the top level then has the `defaultDocumentAccessType` of the API key. `inheritFromParent: false` alone keeps the ' +
    'access type that the folder inherited as its own.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    folderIds: Type.Array(identifier('Id of a folder.')),
    accessType: Type.Optional(AccessType),
    inheritFromParent: Type.Optional(
      Type.Boolean({ description: 'When true, `accessType` does not matter; without it, `accessType` is required.' }),
    ),
  }),
  example: { organizationId: 'example', folderIds: ['autumn'], accessType: 'restricted' },
  output: mapOf(
    itemResult({
      accessType: Type.Optional(nullable(AccessType)),
      inheritFromParent: Type.Optional(Type.Boolean()),
    }),
    'One result per folder id.',
  ),
  errors: ['NOT_FOUND'],
  check: ({ accessType, inheritFromParent }) =>
    accessType === undefined && inheritFromParent === undefined
      ? [{ path: 'accessType', message: 'is required without inheritFromParent' }]
      : [],
  message: 'Folder access type updated successfully.',
}).run(async ({ db, tenant, input }) => {
  const organization = await ensureOrganization(db, tenant, input.organizationId, { create: false })
  const ids = new Set(input.folderIds)
  const { accessType = null } = input
  const inherits = input.inheritFromParent === true
  const set = inherits
    ? sql`
      access_type = case when cardinality(f.path) = 0 then ${accessTypeOfNew(tenant.apiKey)} end,
      inherit_access = cardinality(f.path) > 0 or ${accessTypeOfNew(tenant.apiKey)} is null`
    : sql`access_type = coalesce(${accessType}, ${folderAccessType}), inherit_access = false`
  const rows = { apiKey: tenant.apiKey, organizationKey: organization.key, keys: [...ids].map(keyOf) }
  db.send(lockRows('folder', 'for no key update', rows))
  const updated = await db.query<Updated>(sql`
    with target as materialized (${lockedRows('folder', rows)})
    update folder f
    set ${set}, updated_at = now_ms()
    from target t
    where f.api_key = t.api_key and f.organization_key = t.organization_key and f.key = t.key
    returning f.id, f.access_type as "accessType", f.inherit_access as "inheritFromParent"`)
  const known = new Map(updated.map(({ id, ...access }) => [id, access]))
  return resultsOf(ids, (id) => {
    const access = known.get(id)
    return access
      ? { success: true, ...access, message: 'Folder access type updated.' }
      : { success: false, message: 'Folder does not exist.' }
  })
})

interface Updated {
  id: string
  accessType: AccessType | null
  inheritFromParent: boolean
}
