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
  return mapReactionIds(before, (ids, commentId) => [...ids, ...(byComment.get(commentId) ?? []).map(({ id }) => id)])
}

/** Removes reactions from a thread. Returns the thread and a look-up of its comments. */
export function withoutReactions(before: Thread, gone: ReactionRef[]) {
  const ids = new Set(gone.map(({ id }) => id))
  return mapReactionIds(before, (all) => all.filter((id) => !ids.has(id)))
}

function mapReactionIds(before: Thread, change: (ids: string[], commentId: number | null) => string[]) {
  const comments = before.comments.map((comment) => ({
    ...comment,
    reactionAnnotationIds: change(comment.reactionAnnotationIds, comment.commentId),
  }))
  const byId = new Map<number | null, Comment>(comments.map((comment) => [comment.commentId, comment]))
  const thread: Thread = { ...before, comments, reactionIds: change(before.reactionIds, null) }
  /** The comment of this id, as part of the details of a change. */
  const commentOf = (commentId: number | null): { comment?: Comment } => {
    const comment = byId.get(commentId)
    return comment ? { comment } : {}
  }
  return { thread, commentOf }
}
