import { groupBy } from '../../platform/bulk.ts'
import type { Comment } from '../comments/thread/comment.ts'
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
  const thread: Thread = { ...before, comments, reactionIds: [...before.reactionIds, ...idsTo(null)] }
  /** The comment of this id, as part of the details of a change. */
  const commentOf = (commentId: number | null): { comment?: Comment } => {
    const comment = byId.get(commentId)
    return comment ? { comment } : {}
  }
  return { thread, commentOf }
}
