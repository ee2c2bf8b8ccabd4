import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql, type Transaction } from '../../platform/db/db.ts'
import { ApiError, type Issue } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { identifier, oneOf, type Static, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { accessFields } from './access/access-fields.ts'
import { expiresAt, expiryOf, type Grant, grantedRole, type ResourceType, writeGrants } from './access/grant.ts'
import { resourceKeyOf } from './access/resource-key.ts'
import { type Profile, writeProfiles } from './profile.ts'

export const resourceType = oneOf(['organization', 'document', 'folder'], 'What kind of thing it is.')

/** A resource as callers name it. */
export const ResourceName = Type.Object({
  type: resourceType,
  id: identifier('Id of the organization, document or folder.'),
  organizationId: Type.Optional(identifier('The organization that it is in; required for a document.')),
})

/** A resource that access is granted to. */
const GrantedResource = Type.Object({
  ...ResourceName.properties,
  organizationId: Type.Optional(identifier('The organization that it is in; required for a document or a folder.')),
  accessRole: grantedRole('Default: `editor`, also for who is a viewer there.'),
  expiresAt: Type.Optional(expiresAt),
  accessFields: Type.Optional(accessFields),
})

/** The permissions of one user, as callers send them. */
export const GrantedPermissions = Type.Object({ resources: Type.Array(GrantedResource) })

/** Requires the organization's id for every resource inside an organization. */
export function organizationNamed(
  { permissions }: { permissions: { resources: Static<typeof ResourceName>[] } },
  types: ResourceType[] = ['document', 'folder'],
): Issue[] {
  return permissions.resources.flatMap(({ type, organizationId }, index) =>
    types.includes(type) && organizationId === undefined
      ? [{ path: `permissions.resources[${index}].organizationId`, message: `is required for a ${type}` }]
      : [],
  )
}

/** Grants one user access to resources: to all, or to none with NOT_FOUND if one does not exist. */
export async function grantResources(
  db: Transaction,
  tenant: ApiKeyTenant,
  user: Profile,
  resources: Static<typeof GrantedResource>[],
): Promise<void> {
  const userKey = keyOf(user.userId)
  const grants = new Map(
    resources.map((resource) => {
      const { organizationKey, resourceType, resourceKey } = keysOf(tenant, resource)
      const role = resource.accessRole ?? 'editor'
      const grant = {
        organizationKey,
        resourceType,
        resourceKey,
        userKey,
        role,
        expiresAt: expiryOf(resource.expiresAt),
        accessFields: resource.accessFields ?? null,
      }
      return [`${organizationKey} ${resourceType} ${resourceKey}`, grant] as const
    }),
  )
  const list = [...grants.values()]
  await holdResources(db, tenant, list, resources)
  writeProfiles(db, tenant, [user])
  writeGrants(db, tenant, list)
}

/** The keys of a resource; an organization counts as being in itself. */
function keysOf(tenant: ApiKeyTenant, { type, id, organizationId }: Static<typeof ResourceName>) {
  const organizationKey = organizationKeyOf(tenant, type === 'organization' ? id : (organizationId ?? ''))
  const resourceKey = resourceKeyOf(tenant, type, id)
  return { organizationKey, resourceType: type, resourceKey }
}

/** Locks the resources against deletion until the transaction ends, from the top downward. */
async function holdResources(
  db: Db,
  tenant: ApiKeyTenant,
  grants: Grant[],
  resources: Static<typeof GrantedResource>[],
): Promise<void> {
  const { apiKey } = tenant
  const organizations = await db.query<{ key: string }>(sql`
    select key
    from organization
    where api_key = ${apiKey} and key = any(${grants.map((grant) => grant.organizationKey)}::uuid[]) and retired_at is null
    order by key
    for key share`)
  const held = async (type: 'folder' | 'document') => {
    const wanted = grants.filter((grant) => grant.resourceType === type)
    if (wanted.length === 0) return []
    return db.query<{ organization_key: string; key: string }>(sql`
      select r.organization_key, r.key
      from ${type === 'folder' ? sql`folder` : sql`document`} r
      where r.api_key = ${apiKey}
        and (r.organization_key, r.key) in (
          select * from unnest(
            ${wanted.map((grant) => grant.organizationKey)}::uuid[],
            ${wanted.map((grant) => grant.resourceKey)}::uuid[]
          )
        )
      order by r.organization_key, r.key
      for key share`)
  }
  const [folders, documents] = [await held('folder'), await held('document')]
  const known = new Set([
    ...organizations.map(({ key }) => `organization ${key} ${key}`),
    ...folders.map((row) => `folder ${row.organization_key} ${row.key}`),
    ...documents.map((row) => `document ${row.organization_key} ${row.key}`),
  ])
  for (const resource of resources) {
    const { organizationKey, resourceType, resourceKey } = keysOf(tenant, resource)
    if (known.has(`${resourceType} ${organizationKey} ${resourceKey}`)) continue
    throw new ApiError('NOT_FOUND', `There is no ${resource.type} ${resource.id}.`)
  }
}
