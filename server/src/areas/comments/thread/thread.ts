import { groupBy, withFields } from '../../../platform/bulk.ts'
import { sql } from '../../../platform/db/db.ts'
import { hexId } from '../../../platform/id.ts'
import { locationId, locationKey } from '../../locations/location.ts'
import type { Comment } from '../comment/comment.ts'
import type { CommentRow, ThreadComments } from '../comment/read-comments.ts'
import type { AnnotationRecord, CommentAnnotation } from './annotation.ts'
import type { Participant } from './participant.ts'
import type { ThreadReaction } from './thread-reactions.ts'

/** A thread with those of its comments that were read, in the order of adding, and its participants. */
export interface Thread {
  key: string
  id: string
  number: number
  record: AnnotationRecord
  createdAt: number
  updatedAt: number
  comments: Comment[]
  /** How many comments it has, read or not. */
  commentsCount: number
  /** When its newest comment was made, read or not. */
  newestAt: number
  participants: Participant[]
  /** Those as they are stored, whatever a change makes of `participants`. */
  storedParticipants: Participant[]
  reactionIds: string[]
  /** How many reactions it and its comments have. */
  reactionsCount: number
}

/** A row of `comment_annotation as a`, read by `threadColumns`. */
export type ThreadRow = Pick<Thread, 'key' | 'id' | 'number' | 'record' | 'createdAt' | 'updatedAt'>

/** SQL: the columns of a `ThreadRow`, of `comment_annotation a`. */
export const threadColumns = sql`
  a.key, a.id, a.number, a.record, a.created_at as "createdAt", a.updated_at as "updatedAt"`

/** What is stored of a thread besides its row. */
export interface ThreadParts {
  comments: ThreadComments | undefined
  participants: Participant[] | undefined
  reactions: ThreadReaction[] | undefined
}

/** Puts a thread together from what was read of it. */
export function toThread(
  { key, id, number, record, createdAt, updatedAt }: ThreadRow,
  { comments = NO_COMMENTS, participants = [], reactions = [] }: ThreadParts,
): Thread {
  const reacted = groupBy(reactions, ({ comment_id }) => comment_id)
  return {
    key,
    id,
    number,
    record,
    createdAt,
    updatedAt,
    comments: comments.rows.map((row) => toComment(row, reacted.get(row.id))),
    commentsCount: comments.commentsCount,
    newestAt: comments.newestAt,
    participants,
    storedParticipants: participants,
    reactionIds: idsOf(reacted.get(null)),
    reactionsCount: reactions.length,
  }
}

const NO_COMMENTS: ThreadComments = { rows: [], commentsCount: 0, newestAt: 0 }

const idsOf = (reactions: ThreadReaction[] = []) => reactions.map(({ id }) => id)

/** Converts stored comments to comments as returned, with their reactions. */
export function toComments(rows: CommentRow[], reactions: Map<string, ThreadReaction[]>): Comment[] {
  const byThread = new Map(
    [...reactions].map(([key, each]) => [key, groupBy(each, ({ comment_id }) => comment_id)] as const),
  )
  return rows.map((row) => toComment(row, byThread.get(row.key)?.get(row.id)))
}

/** Converts a stored comment to a comment as returned, with its reactions. */
const toComment = ({ id, record, created_at, updated_at }: CommentRow, reactions?: ThreadReaction[]): Comment =>
  withFields(record, {
    commentId: id,
    createdAt: created_at,
    lastUpdated: updated_at,
    reactionAnnotationIds: idsOf(reactions),
  })

/** Where a thread is. */
interface ThreadPlace {
  apiKey: string
  organizationId: string
  documentId: string
}

/** The thread as returned and as events carry it. */
export function toAnnotation(thread: Thread, { apiKey, organizationId, documentId }: ThreadPlace): CommentAnnotation {
  const { record, participants, newestAt } = thread
  const userIdsOf = (those: Participant[]) => those.map(({ person }) => person.userId)
  const subscribed = (kind: (participant: Participant) => boolean) =>
    Object.fromEntries(
      participants
        .filter(kind)
        .map(({ person, subscription }) => [
          hexId('user', apiKey, person.userId),
          { user: person, type: subscription === 'auto' ? ('auto' as const) : ('manual' as const) },
        ]),
    )
  return {
    annotationId: thread.id,
    annotationNumber: thread.number,
    annotationIndex: thread.number,
    ...record,
    comments: thread.comments,
    createdAt: thread.createdAt,
    lastUpdated: thread.updatedAt,
    locationId: locationId(locationKey(record.location)),
    metadata: { apiKey, documentId, organizationId },
    subscribedUsers: subscribed(({ subscription }) => subscription === 'auto' || subscription === 'manual'),
    unsubscribedUsers: subscribed(({ subscription }) => subscription === 'off'),
    involvedUserIds: userIdsOf(
      participants.filter(
        ({ isAuthor, isMentioned, person }) => isAuthor || isMentioned || person.userId === record.assignedTo?.userId,
      ),
    ),
    mentionedUserIds: userIdsOf(participants.filter(({ isMentioned }) => isMentioned)),
    viewedByUserIds: userIdsOf(participants.filter(({ viewedAt }) => viewedAt !== null && viewedAt >= newestAt)),
    reactionAnnotationIds: thread.reactionIds,
    commentsCount: thread.commentsCount,
  }
}
