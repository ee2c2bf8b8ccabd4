import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import type { Place } from '../comments/thread/place.ts'
import { deniedUsers } from '../permissions/access.ts'
import { isLive } from '../permissions/grant.ts'
import { toUser, type User, type UserRow, userColumns } from '../users/user.ts'
import { readPreferences, wants } from './preference.ts'

/** The users of an organization. */
export async function membersOf(db: Db, tenant: ApiKeyTenant, organizationKey: string): Promise<User[]> {
  const rows = await db.query<UserRow>(sql`
    select ${userColumns}
    from access_grant g
    join app_user u on u.api_key = ${tenant.apiKey} and u.key = g.user_key
    where g.api_key = ${tenant.apiKey} and g.organization_key = ${organizationKey}
      and g.resource_type = 'organization' and g.resource_key = ${organizationKey} and ${isLive}`)
  return rows.map(toUser)
}

/** Those who want it in their inbox; named is to whom it is addressed. */
export async function optedInUsers(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: Place,
  users: User[],
  isNamed: (userId: string) => boolean,
): Promise<User[]> {
  const userKeys = users.map(({ userId }) => keyOf(userId))
  const preferences = await readPreferences(db, tenant, organizationKey, { userKeys, documentKeys: [documentKey] })
  return users.filter(({ userId }) => wants(preferences.of(keyOf(userId), documentKey).inbox, isNamed(userId)))
}

/** Those who may see the document. */
export async function withAccess(db: Db, tenant: ApiKeyTenant, place: Place, users: User[]): Promise<User[]> {
  const userIds = users.map(({ userId }) => userId)
  const denied = new Set(await deniedUsers(db, tenant, { ...place, userIds, action: 'view' }))
  return users.filter(({ userId }) => !denied.has(userId))
}
