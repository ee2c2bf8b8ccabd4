import { sql } from '../../platform/db/db.ts'
import { hexId, keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { itemResult, mapOf, Type } from '../../platform/schema.ts'
import { lastById, resultsOf } from '../organizations/bulk.ts'
import { levelFields, oneLevel, requireLevel } from './level.ts'
import { UserInput, upsertUsers } from './user.ts'

/** Updates the profiles of a level's users, and their roles at that level. */
export const updateUsers = operation({
  path: '/v2/users/update',
  twin: '/v1/users/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update users of an organization, a document or a folder',
  description: 'Fields that are left out stay as they are. `accessRole` is the role at the level that the call names.',
  input: Type.Object({ ...levelFields, users: Type.Array(UserInput) }),
  output: mapOf(itemResult({ id: Type.Optional(Type.String()) }), 'One result per user id.'),
  errors: ['NOT_FOUND'],
  message: 'User(s) processed successfully.',
  check: oneLevel,
}).run(async ({ db, tenant, input }) => {
  const users = lastById(input.users, (user) => user.userId)
  const list = [...users.values()]
  const { organizationKey, resourceType, resourceKey } = await requireLevel(db, tenant, input)
  // Users are locked before grants, as when they are added, so that both can run at once.
  await db.query(sql`
    select from app_user
    where api_key = ${tenant.apiKey} and key = any(${list.map(({ userId }) => keyOf(userId))}::uuid[])
    order by key
    for no key update`)
  const found = await db.query<{ user_key: string }>(sql`
    update access_grant g
    set role = coalesce(u.role, g.role)
    from unnest(
      ${list.map(({ userId }) => keyOf(userId))}::uuid[],
      ${list.map(({ accessRole }) => accessRole ?? null)}::text[]
    ) as u (key, role)
    where g.api_key = ${tenant.apiKey}
      and g.organization_key = ${organizationKey}
      and g.resource_type = ${resourceType}
      and g.resource_key = ${resourceKey}
      and g.user_key = u.key
    returning g.user_key`)
  const known = new Set(found.map((row) => row.user_key))
  await upsertUsers(
    db,
    tenant,
    list.filter(({ userId }) => known.has(keyOf(userId))),
  )
  return resultsOf(users.keys(), (userId) =>
    known.has(keyOf(userId))
      ? { success: true, id: hexId('user', tenant.apiKey, userId), message: 'User updated.' }
      : { success: false, message: 'User does not exist.' },
  )
})
