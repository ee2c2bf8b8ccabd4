import { resultsOf } from '../../platform/bulk.ts'
import { type Sql, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { membershipsEnded, usersRemoved } from '../permissions/membership-event.ts'
import { recordRemoved } from '../permissions/removed-user.ts'
import { type Level, levelFields, levelOf, oneLevel } from './level.ts'

/** Removes users from one level; their content stays. */
export const deleteUsers = operation({
  path: '/v2/users/delete',
  twin: '/v1/users/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Remove users from an organization, a document or a folder',
  description:
    'With `documentId` or `folderId` only the access to it is taken. Without either, users lose the membership, their ' +
    'access to everything in the organization, public resources included, and their places in its user groups. They ' +
    'get no notification and no email of it until they are added again.',
  input: Type.Object({ ...levelFields, userIds: Type.Array(identifier('Id of a user.')) }),
  output: mapOf(itemResult(), 'One result per user id.'),
  errors: [],
  message: 'User(s) deleted successfully.',
  check: oneLevel,
}).run(async ({ db, tenant, input, emit }) => {
  const level = levelOf(tenant, input)
  const userIds = new Set(input.userIds)
  const deleted = await db.query<{ user_key: string; resource_type: string }>(sql`
    with doomed as (
      select g.user_key, g.resource_type, g.resource_key
      from access_grant g
      where g.api_key = ${tenant.apiKey}
        and g.user_key = any(${[...userIds].map(keyOf)}::uuid[])
        and ${within(level)}
      order by 1, 2, 3
      for update
    )
    delete from access_grant g
    using doomed d
    where g.api_key = ${tenant.apiKey}
      and g.organization_key = ${level.organizationKey}
      and (g.resource_type, g.resource_key, g.user_key) = (d.resource_type, d.resource_key, d.user_key)
    returning g.user_key, g.resource_type`)
  const found = new Set(deleted.map((row) => row.user_key))
  const { organizationKey } = level
  const left = deleted.filter((row) => row.resource_type === 'organization')
  await emit(
    membershipsEnded,
    left.map((row) => ({ organizationKey, userKey: row.user_key })),
  )
  if (level.resourceType === 'organization' && found.size > 0) {
    recordRemoved(db, tenant, organizationKey, [...found])
    await emit(
      usersRemoved,
      [...found].map((userKey) => ({ organizationKey, userKey })),
    )
  }
  return resultsOf(userIds, (userId) =>
    found.has(keyOf(userId))
      ? { success: true, message: 'User removed.' }
      : { success: false, message: 'User does not exist.' },
  )
})

/** SQL condition on `access_grant as g`: the grant is at the level. All grants of an organization are at its level. */
function within({ organizationKey, resourceType, resourceKey }: Level): Sql {
  if (resourceType === 'organization') return sql`g.organization_key = ${organizationKey}`
  return sql`
    g.organization_key = ${organizationKey} and g.resource_type = ${resourceType} and g.resource_key = ${resourceKey}`
}
