import { groupBy } from '../../platform/bulk.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Comment } from '../comments/comment/comment.ts'
import type { Thread } from '../comments/thread/thread.ts'

interface ReactionRef {
  id: string
  /** Null: to the thread as a whole. */
  commentId: number | null
}

/** Adds reactions to a thread. Returns the thread and a look-up of its comments. */
export function withReactions(before: Thread, added: ReactionRef[]) {
  const byComment = groupBy(added, ({ commentId }) => commentId)
  const idsTo = (commentId: number | null) => (byComment.get(commentId) ?? []).map(({ id }) => id)
  const comments = before.comments.map((comment) => ({
    ...comment,
    reactionAnnotationIds: [...comment.reactionAnnotationIds, ...idsTo(comment.commentId)],
  }))
  const byId = new Map<number | null, Comment>(comments.map((comment) => [comment.commentId, comment]))
  const thread: Thread = {
    ...before,
    comments,
    reactionIds: [...before.reactionIds, ...idsTo(null)],
    reactionsCount: before.reactionsCount + added.length,
  }
  /** The comment of this id, as part of the details of a change. */
  const commentOf = (commentId: number | null): { comment?: Comment } => {
    const comment = byId.get(commentId)
    return comment ? { comment } : {}
  }
  return { thread, commentOf }
}

/** Each change of a thread reads the ids of all of its reactions. */
const MAX_REACTIONS = 100_000

/** Throws FAILED_PRECONDITION if a thread would have more than 100,000 reactions with those that are added. */
export function assertFewReactions({ id, reactionsCount }: Thread, added: number): void {
  if (reactionsCount + added <= MAX_REACTIONS) return
  const message = `The annotation ${id} would have more than ${MAX_REACTIONS} reactions. Nothing was changed.`
  throw new ApiError('FAILED_PRECONDITION', message)
}
