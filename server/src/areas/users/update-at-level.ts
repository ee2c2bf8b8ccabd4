import { lastById, resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql, type Transaction, together } from '../../platform/db/db.ts'
import { hexId, keyOf } from '../../platform/id.ts'
import { itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { type Level, type LevelFields, levelOf, requireLevel } from './level.ts'
import { type UserChange, upsertUsers } from './user.ts'

/** One result per user. */
export const UpdatedUsers = mapOf(itemResult({ id: Type.Optional(Type.String()) }), 'One result per user id.')

/** Updates the profiles of a level's users, and their roles at that level. NOT_FOUND for a missing level. */
export async function updateAtLevel(
  db: Transaction,
  tenant: ApiKeyTenant,
  fields: LevelFields,
  sent: UserChange[],
): Promise<Static<typeof UpdatedUsers>> {
  const users = lastById(sent, (user) => user.userId)
  const list = [...users.values()]
  const [, , found] = await together([
    requireLevel(db, tenant, fields),
    // Users are locked before grants, in the same order as when they are added, so that both can run concurrently.
    db.query(sql`
      select from app_user
      where api_key = ${tenant.apiKey} and key = any(${list.map(({ userId }) => keyOf(userId))}::uuid[])
      order by key
      for no key update`),
    updateGrants(db, tenant, levelOf(tenant, fields), list),
  ])
  const known = new Set(found.map((row) => row.user_key))
  upsertUsers(
    db,
    tenant,
    list.filter(({ userId }) => known.has(keyOf(userId))),
  )
  return resultsOf(users.keys(), (userId) =>
    known.has(keyOf(userId))
      ? { success: true, id: hexId('user', tenant.apiKey, userId), message: 'User updated.' }
      : { success: false, message: 'User does not exist.' },
  )
}

/** Updates roles and access fields at the level. Returns the keys of the users who have access there. */
const updateGrants = (
  db: Db,
  { apiKey }: ApiKeyTenant,
  { organizationKey, resourceType, resourceKey }: Level,
  list: UserChange[],
) =>
  db.query<{ user_key: string }>(sql`
    update access_grant g
    set role = coalesce(u.role, g.role),
      access_fields = case when u.clears_fields then null else coalesce(u.access_fields, g.access_fields) end
    from unnest(
      ${list.map(({ userId }) => keyOf(userId))}::uuid[],
      ${list.map(({ accessRole }) => accessRole ?? null)}::text[],
      ${list.map(({ accessFields }) => (accessFields ? json(accessFields) : null))}::jsonb[],
      ${list.map(({ accessFields }) => accessFields === null)}::boolean[]
    ) as u (key, role, access_fields, clears_fields)
    where g.api_key = ${apiKey}
      and g.organization_key = ${organizationKey}
      and g.resource_type = ${resourceType}
      and g.resource_key = ${resourceKey}
      and g.user_key = u.key
    returning g.user_key`)
