import type { User } from '../../users/user.ts'
import { renamePlaceholders } from './comment-input.ts'
import type { Thread } from './thread.ts'

/** Replaces users wherever a thread names them. `replacements` is keyed by the old user id. */
export function replaceUsers(thread: Thread, replacements: Map<string, User>): Thread {
  if (replacements.size === 0) return thread
  const swap = (user: User): User => replacements.get(user.userId) ?? user
  const swapId = (id: string) => replacements.get(id)?.userId ?? id
  const rename = (text: string) => renamePlaceholders(text, swapId)
  const { record } = thread
  const { assignedTo, resolvedByUser, resolvedByUserId, statusUpdatedByUserId, visibilityConfig } = record
  const { userIds } = visibilityConfig
  return {
    ...thread,
    record: {
      ...record,
      from: swap(record.from),
      ...(assignedTo && { assignedTo: swap(assignedTo) }),
      ...(resolvedByUser && { resolvedByUser: swap(resolvedByUser) }),
      ...(resolvedByUserId !== undefined && { resolvedByUserId: swapId(resolvedByUserId) }),
      ...(statusUpdatedByUserId !== undefined && { statusUpdatedByUserId: swapId(statusUpdatedByUserId) }),
      visibilityConfig: { ...visibilityConfig, ...(userIds && { userIds: [...new Set(userIds.map(swapId))] }) },
    },
    comments: thread.comments.map((comment) => ({
      ...comment,
      from: swap(comment.from),
      to: comment.to.map(swap),
      ...(comment.commentText !== undefined && { commentText: rename(comment.commentText) }),
      ...(comment.commentHtml !== undefined && { commentHtml: rename(comment.commentHtml) }),
      taggedUserContacts: comment.taggedUserContacts.map((tagged) => ({
        ...tagged,
        ...(tagged.text !== undefined && { text: rename(tagged.text) }),
        userId: swapId(tagged.userId),
        contact: swap(tagged.contact),
      })),
    })),
    participants: thread.participants.filter(({ person }) => !replacements.has(person.userId)),
  }
}
