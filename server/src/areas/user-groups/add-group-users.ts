import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { isLive } from '../permissions/access/grant.ts'
import { MemberResults } from './user-group.ts'

/** Adds users of the organization to one of its groups. */
export const addGroupUsers = operation({
  path: '/v2/organizations/usergroups/users/add',
  twin: '/v1/organizations/usergroups/users/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add users to a user group',
  description: 'Only users of the organization can be in its groups. One that is in the group already stays in it.',
  input: Type.Object({
    organizationId: identifier('The organization.'),
    organizationUserGroupId: identifier('The group.'),
    userIds: Type.Array(identifier('Id of a user.')),
  }),
  example: { organizationId: 'example', organizationUserGroupId: 'designers', userIds: ['sam'] },
  output: MemberResults,
  errors: ['NOT_FOUND'],
  message: 'Added organization users to group successfully.',
}).run(async ({ db, tenant, input }) => {
  const { organizationUserGroupId } = input
  const { key: organizationKey } = await ensureOrganization(db, tenant, input.organizationId, { create: false })
  const groupKey = keyOf(organizationUserGroupId)
  const [group] = await db.query(sql`
    select
    from user_group
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = ${groupKey}
    for key share`)
  if (!group) throw new ApiError('NOT_FOUND', `There is no user group ${organizationUserGroupId}.`)
  const userIds = new Set(input.userIds)
  // Memberships are locked, so that none ends before the user is in the group.
  const members = await db.query<{ user_key: string }>(sql`
    select g.user_key
    from access_grant g
    where g.api_key = ${tenant.apiKey}
      and g.organization_key = ${organizationKey}
      and g.resource_type = 'organization'
      and g.resource_key = ${organizationKey}
      and g.user_key = any(${[...userIds].map(keyOf)}::uuid[])
      and ${isLive}
    order by g.user_key
    for key share`)
  const known = new Set(members.map((row) => row.user_key))
  await db.query(sql`
    insert into user_group_member (api_key, organization_key, group_key, user_key)
    select ${tenant.apiKey}, ${organizationKey}::uuid, ${groupKey}::uuid, m.user_key
    from unnest(${[...known]}::uuid[]) as m (user_key)
    order by 4
    on conflict do nothing`)
  return resultsOf(userIds, (userId) => {
    const success = known.has(keyOf(userId))
    const message = success ? 'User added to organization user group.' : 'User does not exist in the organization.'
    return { success, organizationUserGroupId, message }
  })
})
