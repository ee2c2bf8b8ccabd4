import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { Place } from '../../comments/thread/place.ts'
import { deniedUsers } from '../../permissions/access/access.ts'
import { type Context, hasFields } from '../../permissions/access/access-fields.ts'
import { isLive } from '../../permissions/access/grant.ts'
import { toUser, type User, type UserRow, userColumns } from '../../users/user.ts'
import { readPreferences, wants } from './preference.ts'

/** So many people are read and notified at a time: others wait meanwhile. */
export const PORTION = 1_000

/** A user of an organization, and the place in the order in which they came. */
export interface Member {
  user: User
  seq: number
}

/** The next users of an organization, at most a thousand. */
export async function nextMembers(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  after: Pick<Member, 'seq'> = { seq: 0 },
): Promise<Member[]> {
  const rows = await db.query<UserRow & { seq: number }>(sql`
    select g.seq, ${userColumns}
    from access_grant g
    join app_user u on u.api_key = ${tenant.apiKey} and u.key = g.user_key
    where g.api_key = ${tenant.apiKey} and g.organization_key = ${organizationKey}
      and g.resource_type = 'organization' and g.resource_key = ${organizationKey}
      and g.seq > ${after.seq}::bigint and ${isLive}
    order by g.seq
    limit ${PORTION}`)
  return rows.map((row) => ({ user: toUser(row), seq: row.seq }))
}

/** A user who may be notified. */
export interface Candidate {
  user: User
  /** Whether it is addressed to the user by name. */
  forYou: boolean
}

/** Returns the candidates who want it in their inbox. */
export async function optedInUsers(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: Place,
  candidates: Candidate[],
): Promise<Candidate[]> {
  const userKeys = candidates.map(({ user }) => keyOf(user.userId))
  const preferences = await readPreferences(db, tenant, organizationKey, { userKeys, documentKeys: [documentKey] })
  return candidates.filter(({ user, forYou }) => wants(preferences.of(keyOf(user.userId), documentKey).inbox, forYou))
}

/** Returns the candidates who may see the document. */
export async function withAccess(
  db: Db,
  tenant: ApiKeyTenant,
  place: Place,
  candidates: Candidate[],
): Promise<Candidate[]> {
  const userIds = candidates.map(({ user }) => user.userId)
  const denied = new Set(await deniedUsers(db, tenant, { ...place, userIds, action: 'view' }))
  return candidates.filter(({ user }) => !denied.has(user.userId))
}

/** Returns the candidates who have the access fields that the context takes. */
export async function withAccessFields(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: Place,
  candidates: Candidate[],
  context: Context | undefined,
): Promise<Candidate[]> {
  const viewings = candidates.map(({ user: { userId } }) => ({ documentKey, userId, context }))
  const holds = await hasFields(db, tenant, organizationKey, viewings)
  return candidates.filter((_, index) => holds[index])
}
