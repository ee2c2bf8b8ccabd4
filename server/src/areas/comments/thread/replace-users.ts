import { lastById } from '../../../platform/bulk.ts'
import type { User } from '../../users/user.ts'
import type { Comment } from '../comment/comment.ts'
import { renamePlaceholders } from '../comment/comment-input.ts'
import type { People, Person } from '../comment/person.ts'
import type { Thread } from './thread.ts'

/** A user and who is put in its place. */
export interface UserUpdate {
  oldUser: Person
  newUser: Person
}

/** Who stands for whom, by the old user id. */
type Replacements = Map<string, User>

/** The user that takes the place of each replaced one, by the id of the replaced. */
export const replacementsOf = (updates: UserUpdate[], people: People): Replacements =>
  new Map(updates.map(({ oldUser, newUser }) => [oldUser.userId, people.complete(newUser)]))

const swapper = (replacements: Replacements) => ({
  swap: (user: User): User => replacements.get(user.userId) ?? user,
  swapId: (id: string) => replacements.get(id)?.userId ?? id,
})

/** Replaces users wherever a thread or its comments name them. */
export function replaceUsers(thread: Thread, replacements: Replacements): Thread {
  if (replacements.size === 0) return thread
  const { swap, swapId } = swapper(replacements)
  const { record } = thread
  const { assignedTo, resolvedByUser, resolvedByUserId, statusUpdatedByUserId, suggestion, visibilityConfig } = record
  const { userIds } = visibilityConfig
  const decider = suggestion?.resolvedBy?.userId
  const resolvedBy = typeof decider === 'string' ? replacements.get(decider) : undefined
  return {
    ...thread,
    record: {
      ...record,
      from: swap(record.from),
      ...(assignedTo && { assignedTo: swap(assignedTo) }),
      ...(resolvedByUser && { resolvedByUser: swap(resolvedByUser) }),
      ...(resolvedByUserId !== undefined && { resolvedByUserId: swapId(resolvedByUserId) }),
      ...(statusUpdatedByUserId !== undefined && { statusUpdatedByUserId: swapId(statusUpdatedByUserId) }),
      ...(resolvedBy && { suggestion: { ...suggestion, resolvedBy } }),
      visibilityConfig: { ...visibilityConfig, ...(userIds && { userIds: [...new Set(userIds.map(swapId))] }) },
    },
    comments: thread.comments.map((comment) => replaceUsersInComment(comment, replacements)),
    participants: thread.participants.flatMap((participant) => {
      const person = swap(participant.person)
      return person.userId === participant.person.userId ? [{ ...participant, person }] : []
    }),
  }
}

/** Replaces users wherever a comment names them. Who was mentioned beside a replaced user is mentioned once. */
export function replaceUsersInComment(comment: Comment, replacements: Replacements): Comment {
  const { swap, swapId } = swapper(replacements)
  const rename = (text: string) => renamePlaceholders(text, swapId)
  const tagged = comment.taggedUserContacts.map((contact) => ({
    ...contact,
    ...(contact.text !== undefined && { text: rename(contact.text) }),
    userId: swapId(contact.userId),
    contact: swap(contact.contact),
  }))
  return {
    ...comment,
    from: swap(comment.from),
    to: [...lastById(comment.to.map(swap), ({ userId }) => userId).values()],
    ...(comment.commentText !== undefined && { commentText: rename(comment.commentText) }),
    ...(comment.commentHtml !== undefined && { commentHtml: rename(comment.commentHtml) }),
    taggedUserContacts: [...lastById(tagged, ({ userId }) => userId).values()],
  }
}
