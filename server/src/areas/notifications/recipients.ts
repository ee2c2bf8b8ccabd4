import { groupBy } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import type { CommentChange } from '../comments/change/change.ts'
import { admits } from '../comments/thread/visibility.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { decide } from '../permissions/access.ts'
import { hasFields } from '../permissions/access-fields.ts'
import { isLive } from '../permissions/grant.ts'
import { toUser, type User, type UserRow, userColumns } from '../users/user.ts'
import type { Recipient } from './notification-event.ts'
import { readPreferences, wants } from './preference.ts'

/** Returns the recipients of each change, in five statements for any number of changes of one organization. */
export async function recipientsOf(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  changes: CommentChange[],
): Promise<Recipient[][]> {
  const membersOf = await readMentionedMembers(db, tenant, organizationKey, changes)
  const involved = changes.map((change) => ({ change, people: involvedIn(change, membersOf(change)) }))
  const userKeys = [...new Set(involved.flatMap(({ people }) => people.map(({ user }) => keyOf(user.userId))))]
  const documentKeys = [...new Set(changes.map(({ place }) => place.documentKey))]
  const [preferences, mayView, isMember, hasContext] = await Promise.all([
    readPreferences(db, tenant, organizationKey, { userKeys, documentKeys }),
    readAccess(db, tenant, organizationKey, involved),
    readMemberships(db, tenant, changes, userKeys),
    readFields(db, tenant, organizationKey, involved),
  ])
  return involved.map(({ change, people }) =>
    people
      .filter(({ user }) => mayView(change, user) && maySee(change, user, isMember) && hasContext(change, user))
      .map(({ user, isAddressed, isMentioned }) => {
        const { inbox, email } = preferences.of(keyOf(user.userId), change.place.documentKey)
        const wantsInbox = wants(inbox, isAddressed)
        return { user, isAddressed, isMentioned, wantsInbox, wantsEmail: wants(email, isAddressed), email }
      })
      .filter(({ wantsInbox, wantsEmail }) => wantsInbox || wantsEmail),
  )
}

type Involved = Pick<Recipient, 'user' | 'isAddressed' | 'isMentioned'>

const MENTIONING: CommentChange['action'][] = ['comment_annotation.add', 'comment.add', 'comment.update']

/** The people whom a change concerns, except the actor. An unsubscribed user is included only if newly mentioned. */
function involvedIn({ action, actor, people }: CommentChange, members: User[]): Involved[] {
  const { author, participants, assigned, subscribers, unsubscribed } = people
  const mentioned = [...people.mentioned, ...members]
  const addressed = [author, ...participants, ...mentioned, ...(assigned ? [assigned] : [])]
  const all = new Map([...subscribers, ...addressed].map((user) => [user.userId, user]))
  const isAddressed = new Set(addressed.map(({ userId }) => userId))
  const isMentioned = new Set(MENTIONING.includes(action) ? mentioned.map(({ userId }) => userId) : [])
  const isOff = new Set(unsubscribed.map(({ userId }) => userId))
  return [...all.values()]
    .filter(({ userId }) => userId !== actor?.userId && (!isOff.has(userId) || isMentioned.has(userId)))
    .map((user) => ({ user, isAddressed: isAddressed.has(user.userId), isMentioned: isMentioned.has(user.userId) }))
}

/** Reads the members of the user groups that changes mention. */
async function readMentionedMembers(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  changes: CommentChange[],
): Promise<(change: CommentChange) => User[]> {
  const groupIds = new Set(changes.flatMap(mentionedGroupsOf))
  if (groupIds.size === 0) return () => []
  const rows = await db.query<UserRow & { group_key: string }>(sql`
    select m.group_key, ${userColumns}
    from user_group_member m
    join app_user u on u.api_key = ${tenant.apiKey} and u.key = m.user_key
    where m.api_key = ${tenant.apiKey} and m.organization_key = ${organizationKey}
      and m.group_key = any(${[...groupIds].map(keyOf)}::uuid[])
    order by m.group_key, m.user_key`)
  const members = groupBy(rows, (row) => row.group_key)
  return (change) => mentionedGroupsOf(change).flatMap((id) => (members.get(keyOf(id)) ?? []).map(toUser))
}

/** The ids of the user groups that an added comment mentions. */
const mentionedGroupsOf = ({ action, comment }: CommentChange): string[] =>
  action === 'comment_annotation.add' || action === 'comment.add'
    ? (comment?.toOrganizationUserGroup ?? []).flatMap(({ groupId }) => (isIdentifier(groupId) ? [groupId] : []))
    : []

const isIdentifier = (value: unknown): value is string => typeof value === 'string' && value !== ''

type ChangeTest = (change: CommentChange, user: User) => boolean

/** Checks access to documents. Users whose access is temporarily disabled are notified all the same. */
async function readAccess(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  involved: { change: CommentChange; people: Involved[] }[],
): Promise<ChangeTest> {
  const pairs = new Map(
    involved.flatMap(({ change: { place }, people }) =>
      people.map(({ user }) => {
        const check = { userKey: keyOf(user.userId), type: 'document' as const, key: place.documentKey }
        return [`${check.key} ${check.userKey}`, { ...check, action: 'view' as const }]
      }),
    ),
  )
  const decisions = await decide(db, tenant, organizationKey, [...pairs.values()], { evenDisabled: true })
  const allowed = new Set([...pairs.keys()].filter((_, index) => decisions[index]?.allowed))
  return ({ place }, { userId }) => allowed.has(`${place.documentKey} ${keyOf(userId)}`)
}

/** Checks membership of the organizations that threads are private to. */
async function readMemberships(
  db: Db,
  tenant: ApiKeyTenant,
  changes: CommentChange[],
  userKeys: string[],
): Promise<ChangeTest> {
  const organizations = new Set(changes.flatMap(({ visibility }) => privateTo(visibility) ?? []))
  if (organizations.size === 0) return () => true
  const rows = await db.query<{ organization_key: string; user_key: string }>(sql`
    select g.organization_key, g.user_key
    from access_grant g
    where g.api_key = ${tenant.apiKey} and g.organization_key = any(${[...organizations].map((id) => organizationKeyOf(tenant, id))}::uuid[])
      and g.resource_type = 'organization' and g.resource_key = g.organization_key
      and g.user_key = any(${userKeys}::uuid[]) and ${isLive}`)
  const members = new Set(rows.map((row) => `${row.organization_key} ${row.user_key}`))
  return ({ visibility }, { userId }) => {
    const organizationId = privateTo(visibility)
    return organizationId === undefined || members.has(`${organizationKeyOf(tenant, organizationId)} ${keyOf(userId)}`)
  }
}

/** Checks the access fields that the context of a thread takes. */
async function readFields(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  involved: { change: CommentChange; people: Involved[] }[],
): Promise<ChangeTest> {
  const pairs = involved.flatMap(({ change, people }) => people.map(({ user }) => ({ change, user })))
  const viewings = pairs.map(({ change: { place, annotation }, user: { userId } }) => {
    return { documentKey: place.documentKey, userId, context: annotation.context }
  })
  const holds = await hasFields(db, tenant, organizationKey, viewings)
  const lacking = new Set(
    pairs.filter((_, index) => !holds[index]).map(({ change, user }) => `${change.annotationKey} ${user.userId}`),
  )
  return ({ annotationKey }, { userId }) => !lacking.has(`${annotationKey} ${userId}`)
}

const privateTo = ({ type, organizationId }: CommentChange['visibility']) =>
  type === 'organizationPrivate' ? organizationId : undefined

/** Whether the user may see the thread; the author always may. */
const maySee = (change: CommentChange, user: User, isMember: ChangeTest): boolean =>
  user.userId === change.people.author.userId || (admits(change.visibility, user.userId) && isMember(change, user))
