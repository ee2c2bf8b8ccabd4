import { keyOf } from '../../../platform/id.ts'
import { type Comment, newComment, newCommentId } from '../comment/comment.ts'
import type { CommentInput } from '../comment/comment-input.ts'
import type { People } from '../comment/person.ts'
import { type AnnotationInput, newRecord } from './annotation-input.ts'
import { newestCommentAt, participantsOf } from './participant.ts'
import type { Thread } from './thread.ts'

/** A new comment, and the input that it was made from. */
export interface NewComment {
  comment: Comment
  sent: CommentInput
}

/** A new thread, and its comments with their inputs. */
export interface NewThread extends Thread {
  added: NewComment[]
}

/** Makes comments from input: the last one of each id. A comment without an id gets one. */
export function newComments(sent: CommentInput[], people: People, now: number): NewComment[] {
  const taken = new Set(sent.flatMap(({ commentId }) => commentId ?? []))
  const identified = new Map(sent.map((item) => [item.commentId ?? newCommentId(taken), item]))
  return [...identified].map(([commentId, item]) => {
    const { createdAt = now, lastUpdated = createdAt } = item
    const times = { createdAt, lastUpdated: Math.max(createdAt, lastUpdated) }
    return { comment: { commentId, ...newComment(item, people), ...times, reactionAnnotationIds: [] }, sent: item }
  })
}

/** Makes a thread from input. */
export function newThread(item: AnnotationInput & { id: string }, number: number, context: ThreadContext): NewThread {
  const { people, organizationId, now } = context
  const { id } = item
  const added = newComments(item.commentData, people, now)
  const comments = added.map(({ comment }) => comment)
  const [first] = comments
  if (!first) throw new Error('A thread starts with a comment.')
  const record = newRecord(item, first, people, organizationId)
  const { createdAt = first.createdAt, lastUpdated = createdAt } = item
  return {
    key: keyOf(id),
    id,
    number,
    record,
    createdAt,
    updatedAt: Math.max(createdAt, lastUpdated),
    comments,
    commentsCount: comments.length,
    newestAt: newestCommentAt(comments),
    participants: participantsOf({ record, participants: [] }, comments),
    storedParticipants: [],
    reactionIds: [],
    reactionsCount: 0,
    added,
  }
}

interface ThreadContext {
  people: People
  organizationId: string
  now: number
}
