import { bytesOf, MAX_RECORD_BYTES } from '../organizations/record-size.ts'
import type { CommentAnnotation } from './annotation.ts'
import type { Comment } from './comment.ts'

/** How many people each list of a payload names at most. */
export const MAX_PEOPLE = 100

const LATEST = 9

const known = new WeakMap<CommentAnnotation, ReturnType<typeof cut>>()

/**
 * A thread as payloads show it: the first comment and of the latest nine those that have room in one record, 100 people
 * in each list, and the true number of comments. With the whole of a long thread in each of its events, what is stored
 * would grow with the square of its length. Worked out once for all the changes of one call to a thread.
 */
export function shownThread(annotation: CommentAnnotation) {
  const shown = known.get(annotation) ?? cut(annotation)
  known.set(annotation, shown)
  return shown
}

const cut = (annotation: CommentAnnotation) => ({
  ...annotation,
  comments: [...annotation.comments.slice(0, 1), ...latestOf(annotation.comments.slice(1))],
  commentsCount: annotation.comments.length,
  subscribedUsers: some(annotation.subscribedUsers),
  unsubscribedUsers: some(annotation.unsubscribedUsers),
  involvedUserIds: annotation.involvedUserIds.slice(0, MAX_PEOPLE),
  mentionedUserIds: annotation.mentionedUserIds.slice(0, MAX_PEOPLE),
  viewedByUserIds: annotation.viewedByUserIds.slice(0, MAX_PEOPLE),
  reactionAnnotationIds: annotation.reactionAnnotationIds.slice(-MAX_PEOPLE),
})

const some = (people: CommentAnnotation['subscribedUsers']) =>
  Object.fromEntries(Object.entries(people).slice(0, MAX_PEOPLE))

function latestOf(comments: Comment[]): Comment[] {
  let room = MAX_RECORD_BYTES
  const latest = comments.slice(-LATEST)
  const oldest = latest.findLastIndex((comment) => {
    room -= bytesOf(comment)
    return room < 0
  })
  return latest.slice(oldest + 1)
}
