import { bytesOf } from '../../../platform/record-size.ts'
import type { Comment } from '../comment/comment.ts'
import { LATEST_COMMENTS } from '../comment/read-comments.ts'
import type { CommentAnnotation } from '../thread/annotation.ts'
import { abridge } from './abridge.ts'

/** The most people that a list in a payload names. */
export const MAX_PEOPLE = 100

/**
 * Abridges a thread for payloads: its own fields, 100 people in each list and the true number of comments. Of its
 * comments it keeps the first, and as many of the latest nine as fit. Whole threads in each event would make storage
 * grow with the square of their length.
 */
export function abridgeThread({ comments, commentsCount, ...annotation }: CommentAnnotation, maxBytes: number) {
  const shown = {
    ...annotation,
    subscribedUsers: firstPeople(annotation.subscribedUsers),
    unsubscribedUsers: firstPeople(annotation.unsubscribedUsers),
    involvedUserIds: annotation.involvedUserIds.slice(0, MAX_PEOPLE),
    mentionedUserIds: annotation.mentionedUserIds.slice(0, MAX_PEOPLE),
    viewedByUserIds: annotation.viewedByUserIds.slice(0, MAX_PEOPLE),
    reactionAnnotationIds: annotation.reactionAnnotationIds.slice(-MAX_PEOPLE),
  }
  const first = comments.slice(0, 1).map((comment) => abridge(comment, maxBytes))
  return {
    ...abridge(shown, maxBytes),
    comments: [...first, ...latestOf(comments.slice(1), maxBytes)],
    commentsCount,
  }
}

const firstPeople = (people: CommentAnnotation['subscribedUsers']) =>
  Object.fromEntries(Object.entries(people).slice(0, MAX_PEOPLE))

function latestOf(comments: Comment[], maxBytes: number): Comment[] {
  let left = maxBytes
  const latest = comments.slice(-LATEST_COMMENTS)
  const oldest = latest.findLastIndex((comment) => {
    left -= bytesOf(comment)
    return left < 0
  })
  return latest.slice(oldest + 1)
}
