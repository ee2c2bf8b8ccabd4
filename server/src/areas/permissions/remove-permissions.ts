import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { resourceKeyOf } from './access/resource-key.ts'
import { endGrants } from './end-grants.ts'
import { membershipsEnded } from './membership-event.ts'
import { organizationNamed, ResourceName } from './resource.ts'

/** Removes a user's grants on the named resources. Access through a folder or an organization above stays. */
export const removePermissions = operation({
  path: '/v2/auth/permissions/remove',
  auth: 'apiKey',
  access: 'write',
  summary: "Take a user's access to resources",
  description: 'Access that is not there counts as taken. A folder without `organizationId` is any folder of that id.',
  input: Type.Object({
    userId: identifier('Id of the user.'),
    permissions: Type.Object({ resources: Type.Array(ResourceName) }),
  }),
  example: {
    userId: 'iris',
    permissions: { resources: [{ type: 'document', id: 'poster', organizationId: 'example' }] },
  },
  output: null,
  errors: [],
  message: 'Permissions removed successfully.',
  check: (input) => organizationNamed(input, ['document']),
}).run(async ({ db, tenant, input, emit }) => {
  const userKey = keyOf(input.userId)
  const { resources } = input.permissions
  const organizationOf = ({ type, id, organizationId }: (typeof resources)[number]) => {
    if (type === 'organization') return organizationKeyOf(tenant, id)
    return organizationId === undefined ? null : organizationKeyOf(tenant, organizationId)
  }
  const removed = await endGrants(
    db,
    tenant,
    sql`g.user_key = ${userKey} and exists (
      select
      from unnest(
        ${resources.map(({ type }) => type)}::text[],
        ${resources.map(({ type, id }) => resourceKeyOf(tenant, type, id))}::uuid[],
        ${resources.map(organizationOf)}::uuid[]
      ) as r (type, key, organization_key)
      where (r.type, r.key) = (g.resource_type, g.resource_key)
        and coalesce(r.organization_key, g.organization_key) = g.organization_key
    )`,
  )
  const left = removed.filter(({ resourceType }) => resourceType === 'organization')
  await emit(
    membershipsEnded,
    left.map(({ organizationKey }) => ({ organizationKey, userKey })),
  )
})
