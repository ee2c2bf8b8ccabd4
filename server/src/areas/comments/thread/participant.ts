import type { User } from '../../users/user.ts'
import type { Comment } from '../comment/comment.ts'
import type { AnnotationRecord } from './annotation.ts'

/** A user whom a thread concerns. */
export interface Participant {
  person: User
  isAuthor: boolean
  isMentioned: boolean
  /** Null: never subscribed; off: unsubscribed on request, so that taking part does not subscribe the user again. */
  subscription: 'auto' | 'manual' | 'off' | null
  /** When the user last saw the thread. */
  viewedAt: number | null
}

/** What a user is to the comments of a thread. */
export type Roles = Pick<Participant, 'isAuthor' | 'isMentioned'>

interface Parts {
  record: AnnotationRecord
  participants: Participant[]
}

/**
 * The participants after these comments were added or edited. Their authors, and mentioned and assigned users, are
 * subscribed unless they unsubscribed. `left` has those whom other edits or deletions took a role, with what they still
 * are. Others stay as they are. Of whom nothing changes, the object that was given is returned.
 */
export function participantsOf(
  { record, participants }: Parts,
  comments: Comment[] = [],
  left: ReadonlyMap<string, Roles> = NOBODY,
): Participant[] {
  const before = new Map(participants.map((known) => [known.person.userId, known]))
  const all = new Map(
    participants.map((known) => {
      const after = { ...known, ...left.get(known.person.userId) }
      return [known.person.userId, hasRole(after) ? subscribed(after) : after]
    }),
  )
  function add(person: User, role: Partial<Roles>, seenAt: number | null = null) {
    const known = all.get(person.userId) ?? { person, ...NOT_INVOLVED }
    const viewedAt = seenAt === null ? known.viewedAt : Math.max(seenAt, known.viewedAt ?? 0)
    all.set(person.userId, subscribed({ ...known, ...role, viewedAt }))
  }
  add(record.from, { isAuthor: true })
  if (record.assignedTo) add(record.assignedTo, {})
  for (const { from, to, createdAt } of comments) {
    add(from, { isAuthor: true }, createdAt)
    for (const person of to) add(person, { isMentioned: true })
  }
  return Array.from(all, ([userId, after]) => {
    const known = before.get(userId)
    return known && isSame(known, after) ? known : after
  })
}

const NOBODY: ReadonlyMap<string, Roles> = new Map()

/** The participants after a change of a thread that was read with all of its comments. */
export const participantsOfAll = (thread: Parts & { comments: Comment[] }): Participant[] =>
  participantsOf(thread, thread.comments, new Map(thread.participants.map(({ person }) => [person.userId, NO_ROLES])))

/** No role. */
export const NO_ROLES: Roles = { isAuthor: false, isMentioned: false }

const hasRole = ({ isAuthor, isMentioned }: Roles) => isAuthor || isMentioned

const subscribed = (participant: Participant): Participant => ({
  ...participant,
  subscription: participant.subscription ?? 'auto',
})

const isSame = (one: Participant, other: Participant) =>
  one.isAuthor === other.isAuthor &&
  one.isMentioned === other.isMentioned &&
  one.subscription === other.subscription &&
  one.viewedAt === other.viewedAt

/** The time of the newest comment. Who has viewed a thread at that time or later has seen all of it. */
export const newestCommentAt = (comments: Comment[], before = 0): number =>
  comments.reduce((latest, { createdAt }) => Math.max(latest, createdAt), before)

/**
 * The participants after comments were added: others have not seen them, even if they bear a time before a view.
 * `newestAt` is the time of the newest comment of all.
 */
export function withUnseen(participants: Participant[], newestAt: number, added: Comment[]): Participant[] {
  if (added.length === 0) return participants
  const authors = new Set(added.map(({ from }) => from.userId))
  return participants.map((participant) => {
    const { person, viewedAt } = participant
    const hadSeenAll = viewedAt !== null && viewedAt >= newestAt && !authors.has(person.userId)
    return hadSeenAll ? { ...participant, viewedAt: newestAt - 1 } : participant
  })
}

/** What a user is to a thread before any role, subscription or view. */
export const NOT_INVOLVED = { ...NO_ROLES, subscription: null, viewedAt: null }
