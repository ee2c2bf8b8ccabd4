import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { ChangeContext } from '../../../platform/event.ts'
import { keyOf } from '../../../platform/id.ts'
import { ownTurn } from '../../../platform/turns/yield.ts'
import type { CommentChange } from '../../comments/change/change.ts'
import { withoutRemoved } from '../../permissions/access/removed-user.ts'
import type { User } from '../../users/user.ts'
import { PORTION } from './candidates.ts'
import { readMayBeTold } from './may-be-told.ts'
import { readMentionedMembers } from './mentioned-members.ts'
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

/** A person whom a change concerns. */
type Concerned = Pick<Recipient, 'user' | 'isAddressed' | 'isMentioned'>

/** A change, and those whom it concerns, or a part of them. */
interface Concerning {
  change: CommentChange
  people: Concerned[]
}

/** A change, and people who are told of it. */
interface Told {
  change: CommentChange
  recipients: Recipient[]
}

/**
 * Returns the recipients of changes of one organization, in portions of at most a thousand people: a change that
 * concerns more stands in several. Each takes at most five statements. Throws FAILED_PRECONDITION if those of the
 * transaction so far concern more than 100,000.
 */
export async function recipientsOf(
  { db, tenant, once }: ChangeContext,
  organizationKey: string,
  changes: CommentChange[],
): Promise<Told[][]> {
  const membersOf = await readMentionedMembers(db, tenant, organizationKey, { changes, enough: MAX_CONCERNED })
  const concerned = await once('people concerned', async () => ({ count: 0 }))
  concerned.count += countConcerned(changes, membersOf)
  if (concerned.count > MAX_CONCERNED) {
    throw new ApiError(
      'FAILED_PRECONDITION',
      `The call would notify people more than ${MAX_CONCERNED} times. Change fewer comments at a time, or send triggerNotification: false. Nothing was changed.`,
    )
  }
  const told: Told[][] = []
  for (const portion of portionsOf(changes, (change) => concernedBy(change, membersOf(change)))) {
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

/** The changes and their people, at most a thousand people at a time. */
function* portionsOf(
  changes: CommentChange[],
  peopleOf: (change: CommentChange) => Concerned[],
): Generator<Concerning[]> {
  let portion: Concerning[] = []
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

/** Those of the people who may see the change, and want to be told of it by a channel. */
async function recipientsAmong(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  portion: Concerning[],
): Promise<Told[]> {
  const userKeys = [...new Set(portion.flatMap(({ people }) => people.map(({ user }) => keyOf(user.userId))))]
  const documentKeys = [...new Set(portion.map(({ change: { place } }) => place.documentKey))]
  const [preferences, mayBeTold, follows] = await Promise.all([
    readPreferences(db, tenant, organizationKey, { userKeys, documentKeys }),
    readMayBeTold(db, tenant, organizationKey, portion),
    readFollows(db, tenant, organizationKey, portion),
  ])
  return portion.map(({ change, people }) => ({
    change,
    recipients: people
      .filter(({ user, isAddressed }) => mayBeTold(change, user) && (isAddressed || follows(user)))
      .map((person) => {
        const { inbox, email } = preferences.of(keyOf(person.user.userId), change.place.documentKey)
        const { isAddressed } = person
        return { ...person, wantsInbox: wants(inbox, isAddressed), wantsEmail: wants(email, isAddressed), email }
      })
      .filter(({ wantsInbox, wantsEmail }) => wantsInbox || wantsEmail),
  }))
}

/** Removal from the organization ends subscriptions, also of users whom a document lets in again. */
async function readFollows(db: Db, tenant: ApiKeyTenant, organizationKey: string, portion: Concerning[]) {
  const followers = portion.flatMap(({ change, people }) =>
    change.place.hasRemovedUsers ? people.filter(({ isAddressed }) => !isAddressed).map(({ user }) => user) : [],
  )
  const left = new Set(await withoutRemoved(db, tenant, organizationKey, followers))
  const removed = new Set(followers.filter((user) => !left.has(user)).map(({ userId }) => userId))
  return ({ userId }: User) => !removed.has(userId)
}

const MENTIONING: CommentChange['action'][] = ['comment_annotation.add', 'comment.add', 'comment.update']

/** The people whom a change concerns, except the actor. An unsubscribed user is included only if newly mentioned. */
function concernedBy({ action, actor, people }: CommentChange, members: User[]): Concerned[] {
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
