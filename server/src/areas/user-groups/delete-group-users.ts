import { resultsOf } from '../../platform/bulk.ts'
import { empty, sql } from '../../platform/db/db.ts'
import { narrowing } from '../../platform/db/narrowing.ts'
import { ApiError, type Issue } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, type Static, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { MemberResults } from './user-group.ts'

const MAX_DELETED = 10_000

const Input = Type.Object({
  organizationId: identifier('The organization.'),
  organizationUserGroupId: identifier('The group.'),
  userIds: Type.Optional(Type.Array(identifier('Id of a user.'), { description: 'Either these users,' })),
  deleteAll: Type.Optional(Type.Boolean({ description: 'or, when true, all users of the group.' })),
})

/** Removes users from a group: the named ones, or all. */
export const deleteGroupUsers = operation({
  path: '/v2/organizations/usergroups/users/delete',
  twin: '/v1/organizations/usergroups/users/delete',
  auth: 'apiKey',
  access: 'write',
  summary: 'Remove users from a user group',
  description: `Give either \`userIds\` or \`deleteAll: true\`. One call removes at most ${MAX_DELETED} users.`,
  input: Input,
  example: { organizationId: 'example', organizationUserGroupId: 'designers', userIds: ['sam'] },
  output: MemberResults,
  errors: ['FAILED_PRECONDITION'],
  message: 'Deleted users from group successfully.',
  check: namedOrAll,
}).run(async ({ db, tenant, input }) => {
  const { organizationUserGroupId, userIds } = input
  const ofGroup = narrowing(userIds)(sql`m.group_key = ${keyOf(organizationUserGroupId)}`)
  const chosen = userIds ? sql`and m.user_key = any(${userIds.map(keyOf)}::uuid[])` : empty
  const deleted = await db.query<{ id: string }>(sql`
    with doomed as (
      select m.user_key
      from user_group_member m
      where m.api_key = ${tenant.apiKey}
        and m.organization_key = ${organizationKeyOf(tenant, input.organizationId)}
        and ${ofGroup}
        ${chosen}
      order by 1
      limit ${MAX_DELETED + 1}
      for update
    )
    delete from user_group_member m
    using doomed d
    join app_user u on u.api_key = ${tenant.apiKey} and u.key = d.user_key
    where m.api_key = ${tenant.apiKey}
      and m.organization_key = ${organizationKeyOf(tenant, input.organizationId)}
      and m.group_key = ${keyOf(organizationUserGroupId)}
      and m.user_key = d.user_key
    returning u.id`)
  if (deleted.length > MAX_DELETED) {
    throw new ApiError('FAILED_PRECONDITION', `The group has more than ${MAX_DELETED} users. Remove them by userIds.`)
  }
  const found = new Set(deleted.map(({ id }) => id))
  return resultsOf(new Set(userIds ?? found), (userId) => {
    const success = found.has(userId)
    const message = success ? 'User deleted from organization user group.' : 'User does not exist in the group.'
    return { success, organizationUserGroupId, message }
  })
})

function namedOrAll({ userIds, deleteAll }: Static<typeof Input>): Issue[] {
  if (userIds === undefined && deleteAll !== true) {
    return [{ path: 'userIds', message: 'is required unless deleteAll is true' }]
  }
  const both = userIds !== undefined && deleteAll === true
  return both ? [{ path: 'deleteAll', message: 'must not be true together with userIds' }] : []
}
