import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { ChangeContext } from '../../../platform/event.ts'
import { FIRST_KEY, keyOf } from '../../../platform/id.ts'
import { ownTurn } from '../../../platform/turns/yield.ts'
import type { CommentChange } from '../../comments/change/change.ts'
import { readMaySee } from '../../comments/thread/may-see.ts'
import { decide } from '../../permissions/access.ts'
import { hasFields } from '../../permissions/access-fields.ts'
import { toUser, type User, type UserRow, userColumns } from '../../users/user.ts'
import { PORTION } from './candidates.ts'
import { type Level, readPreferences, wants } from './preference.ts'

/** A user who is notified of a change by at least one channel. */
export interface Recipient {
  user: User
  /** Whether it is addressed to the user as author, participant, mentioned or assigned user. Others only subscribed. */
  isAddressed: boolean
  /** Whether this very change mentions the user. */
  isMentioned: boolean
  /** Whether the user wants it in the inbox. */
  wantsInbox: boolean
  /** Whether the user wants an email. */
  wantsEmail: boolean
  /** The preference behind `wantsEmail`. */
  email: Level
}

/** The most people whom the changes of one transaction may concern, each counted once for each change. */
const MAX_CONCERNED = 100_000

/** A change, and people who are told of it. */
interface Told {
  change: CommentChange
  recipients: Recipient[]
}

/**
 * Returns the recipients of changes of one organization, in portions of at most a thousand people: a change that concerns
 * more stands in several. Each takes four statements. Throws FAILED_PRECONDITION if those of the transaction so far
 * concern more than 100,000.
 */
export async function recipientsOf(
  { db, tenant, once }: ChangeContext,
  organizationKey: string,
  changes: CommentChange[],
): Promise<Told[][]> {
  const membersOf = await readMentionedMembers(db, tenant, organizationKey, changes)
  const concerned = await once('people concerned', async () => ({ count: 0 }))
  concerned.count += countConcerned(changes, membersOf)
  if (concerned.count > MAX_CONCERNED) throw tooMany()
  const told: Told[][] = []
  for (const portion of portionsOf(changes, (change) => involvedIn(change, membersOf(change)))) {
    if (told.length > 0) await ownTurn()
    told.push(await recipientsAmong(db, tenant, organizationKey, portion))
  }
  return told
}

/** Counts before it makes anything of the people: a mention of a large group in each of many comments has millions. */
const countConcerned = (changes: CommentChange[], membersOf: (change: CommentChange) => User[]): number =>
  changes.reduce((count, change) => {
    const { participants, subscribers, mentioned } = change.people
    return count + Math.max(participants.length, subscribers.length) + mentioned.length + membersOf(change).length
  }, 0)

const tooMany = () =>
  new ApiError(
    'FAILED_PRECONDITION',
    `The call would notify people more than ${MAX_CONCERNED} times. Change fewer comments at a time, or send triggerNotification: false. Nothing was changed.`,
  )

interface Concerned {
  change: CommentChange
  people: Involved[]
}

/** The changes and their people, at most a thousand people at a time. */
function* portionsOf(
  changes: CommentChange[],
  peopleOf: (change: CommentChange) => Involved[],
): Generator<Concerned[]> {
  let portion: Concerned[] = []
  let room = PORTION
  for (const change of changes) {
    const all = peopleOf(change)
    for (let from = 0; from < all.length; ) {
      const people = all.slice(from, from + room)
      portion.push({ change, people })
      from += people.length
      room -= people.length
      if (room > 0) continue
      yield portion
      portion = []
      room = PORTION
    }
  }
  if (portion.length > 0) yield portion
}

async function recipientsAmong(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  involved: Concerned[],
): Promise<Told[]> {
  const userKeys = [...new Set(involved.flatMap(({ people }) => people.map(({ user }) => keyOf(user.userId))))]
  const documentKeys = [...new Set(involved.map(({ change: { place } }) => place.documentKey))]
  const visibilities = involved.map(({ change: { visibility } }) => visibility)
  const [preferences, mayView, maySee, hasContext] = await Promise.all([
    readPreferences(db, tenant, organizationKey, { userKeys, documentKeys }),
    readAccess(db, tenant, organizationKey, involved),
    readMaySee(db, tenant, visibilities, userKeys),
    readFields(db, tenant, organizationKey, involved),
  ])
  return involved.map(({ change, people }) => ({
    change,
    recipients: people
      .filter(
        ({ user }) =>
          mayView(change, user) &&
          maySee(change.visibility, change.people.author, user.userId) &&
          hasContext(change, user),
      )
      .map(({ user, isAddressed, isMentioned }) => {
        const { inbox, email } = preferences.of(keyOf(user.userId), change.place.documentKey)
        const wantsInbox = wants(inbox, isAddressed)
        return { user, isAddressed, isMentioned, wantsInbox, wantsEmail: wants(email, isAddressed), email }
      })
      .filter(({ wantsInbox, wantsEmail }) => wantsInbox || wantsEmail),
  }))
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

/** Reads the members of the user groups that changes mention. Throws FAILED_PRECONDITION if they are too many. */
async function readMentionedMembers(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  changes: CommentChange[],
): Promise<(change: CommentChange) => User[]> {
  const groupKeys = [...new Set(changes.flatMap(mentionedGroupsOf))].map(keyOf)
  const members = new Map<string, User[]>()
  for (let after: Member | undefined, count = 0, isLeft = groupKeys.length > 0; isLeft; ) {
    const rows = await readMembers(db, tenant, organizationKey, { groupKeys, after })
    for (const row of rows) {
      const group = members.get(row.group_key) ?? []
      group.push(toUser(row))
      members.set(row.group_key, group)
    }
    count += rows.length
    if (count > MAX_CONCERNED) throw tooMany()
    isLeft = rows.length === PORTION
    after = rows.at(-1)
  }
  return (change) => mentionedGroupsOf(change).flatMap((id) => members.get(keyOf(id)) ?? [])
}

interface Member extends UserRow {
  group_key: string
  user_key: string
}

const readMembers = (
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { groupKeys, after }: { groupKeys: string[]; after: Member | undefined },
) =>
  db.query<Member>(sql`
    select m.group_key, m.user_key, ${userColumns}
    from user_group_member m
    join app_user u on u.api_key = ${tenant.apiKey} and u.key = m.user_key
    where m.api_key = ${tenant.apiKey} and m.organization_key = ${organizationKey}
      and m.group_key = any(${groupKeys}::uuid[])
      and (m.group_key, m.user_key) > (${after?.group_key ?? FIRST_KEY}::uuid, ${after?.user_key ?? FIRST_KEY}::uuid)
    order by m.group_key, m.user_key
    limit ${PORTION}`)

/** The ids of the user groups that an added comment mentions. */
const mentionedGroupsOf = ({ action, comment }: CommentChange): string[] =>
  action === 'comment_annotation.add' || action === 'comment.add'
    ? [...new Set((comment?.toOrganizationUserGroup ?? []).map(({ groupId }) => groupId).filter(isIdentifier))]
    : []

const isIdentifier = (value: unknown): value is string => typeof value === 'string' && value !== ''

type ChangeTest = (change: CommentChange, user: User) => boolean

/** Checks access to documents. Users whose access is temporarily disabled are notified all the same. */
async function readAccess(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  involved: Concerned[],
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

/** Checks the access fields that the context of a thread takes. */
async function readFields(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  involved: Concerned[],
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
