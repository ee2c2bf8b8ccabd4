import { resultsOf } from '../../platform/bulk.ts'
import { type Sql, sql } from '../../platform/db/db.ts'
import { lockByName } from '../../platform/db/list-lock.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { grantsOf } from '../permissions/access/grant.ts'
import { recordRemoved } from '../permissions/access/removed-user.ts'
import { endGrants } from '../permissions/end-grants.ts'
import { membershipsEnded, usersRemoved } from '../permissions/membership-event.ts'
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
  example: { organizationId: 'example', userIds: ['sam'] },
  output: mapOf(itemResult(), 'One result per user id.'),
  errors: [],
  message: 'User(s) deleted successfully.',
  check: oneLevel,
}).run(async ({ db, tenant, input, emit }) => {
  const level = levelOf(tenant, input)
  const userIds = new Set(input.userIds)
  const keys = [...userIds].map(keyOf)
  // Who adds a user again must see the record of the removal, and delete it.
  if (level.resourceType === 'organization') await lockByName(db, grantsOf(tenant, level.organizationKey))
  const ended = await endGrants(db, tenant, sql`g.user_key = any(${keys}::uuid[]) and ${within(level)}`)
  const found = new Set(ended.map(({ userKey }) => userKey))
  const { organizationKey } = level
  const left = ended.filter(({ resourceType }) => resourceType === 'organization')
  await emit(
    membershipsEnded,
    left.map(({ userKey }) => ({ organizationKey, userKey })),
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
