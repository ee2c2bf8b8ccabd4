import { ERASED_NAME, redact } from '../activities/log/redact.ts'
import type { Comment } from '../comments/comment/comment.ts'
import { replaceUsers, replaceUsersInComment } from '../comments/thread/replace-users.ts'
import type { Thread } from '../comments/thread/thread.ts'
import type { User } from '../users/user.ts'

/**
 * Removes users from a thread, but not from its comments: assignments, subscriptions and views. A pseudonym stands
 * where the thread must say who acted, and in the caller's own fields.
 */
export function withoutUsers(thread: Thread, pseudonyms: Map<string, User>): Thread {
  const isErased = (userId: string) => pseudonyms.has(userId)
  const { assignedTo, visibilityConfig, ...record } = thread.record
  const { userIds } = visibilityConfig
  const replaced = replaceUsers(
    {
      ...thread,
      record: {
        ...record,
        ...(assignedTo && !isErased(assignedTo.userId) && { assignedTo }),
        visibilityConfig: { ...visibilityConfig, ...(userIds && { userIds: userIds.filter((id) => !isErased(id)) }) },
      },
      comments: [],
    },
    pseudonyms,
  )
  return { ...replaced, record: withoutNamed(replaced.record, pseudonyms) }
}

/** Removes users from what another wrote. */
export const commentWithoutUsers = (comment: Comment, pseudonyms: Map<string, User>): Comment => {
  const unmentioned = removeMentions(comment, (userId) => pseudonyms.has(userId))
  return withoutNamed(replaceUsersInComment(unmentioned, pseudonyms), pseudonyms)
}

/** Puts pseudonyms in place of users wherever a record holds one. */
const withoutNamed = <T>(record: T, pseudonyms: Map<string, User>): T =>
  redact(record, (userId) => pseudonyms.get(userId)?.userId) as T

function removeMentions(comment: Comment, isErased: (userId: string) => boolean): Comment {
  const tags = comment.taggedUserContacts.filter(({ userId }) => isErased(userId))
  if (tags.length === 0) return { ...comment, to: comment.to.filter(({ userId }) => !isErased(userId)) }
  const marks = tags.flatMap(({ userId, text }) => [`{{${userId}}}`, ...(text ? [text] : [])])
  marks.sort((a, b) => b.length - a.length)
  // The pieces are joined only at the end, so that no mark is found inside a replacement.
  const clean = (value: string) =>
    marks.reduce((pieces, mark) => pieces.flatMap((piece) => piece.split(mark)), [value]).join(`@${ERASED_NAME}`)
  const { commentText, commentHtml } = comment
  return {
    ...comment,
    ...(commentText !== undefined && { commentText: clean(commentText) }),
    ...(commentHtml !== undefined && { commentHtml: clean(commentHtml) }),
    to: comment.to.filter(({ userId }) => !isErased(userId)),
    taggedUserContacts: comment.taggedUserContacts.filter(({ userId }) => !isErased(userId)),
  }
}
