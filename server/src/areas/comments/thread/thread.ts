import { groupBy, withFields } from '../../../platform/bulk.ts'
import type { ApiKeyScope, ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql, together } from '../../../platform/db/db.ts'
import { besides } from '../../../platform/db/narrowing.ts'
import { ApiError } from '../../../platform/errors.ts'
import { hexId, keyOf } from '../../../platform/id.ts'
import { locationId, locationKey } from '../../locations/location.ts'
import type { Comment } from '../comment/comment.ts'
import {
  assertFewBytes,
  type CommentRow,
  type InlineComments,
  mayBeMany,
  type PackedComment,
  readComments,
  readInlineComments,
  type ThreadComments,
  unpacked,
  type WantedComments,
} from '../comment/read-comments.ts'
import type { AnnotationRecord, CommentAnnotation } from './annotation.ts'
import { type Participant, readParticipants } from './participant.ts'
import { keysOfPlace } from './place.ts'
import { readReactions, type ThreadReaction } from './thread-reactions.ts'

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

/**
 * Reads the comments, participants and reactions of threads of one organization, in three statements for any number of
 * threads. With a map by key, those comments are read. `readPeople` reads the participants; default: all.
 */
export async function loadThreads(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  rows: ThreadRow[],
  wanted: Wanted,
  readPeople = readParticipants,
): Promise<Thread[]> {
  if (rows.length === 0) return []
  const keys = rows.map(({ key }) => key)
  const parts = await readParts(db, tenant, organizationKey, keys, wanted, readPeople)
  return rows.map((row) => toThread(row, parts(row.key)))
}

/** Reads the threads with these keys, in the order of the keys, with their parts, all at once. */
export async function readThreads(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  keys: string[],
  wanted: WantedComments,
): Promise<Thread[]> {
  const [rows, parts] = await together([
    db.query<ThreadRow>(sql`
      select ${threadColumns}
      from comment_annotation a
      where a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey} and a.key = any(${keys}::uuid[])
      order by a.key`),
    readParts(db, tenant, organizationKey, keys, wanted),
  ])
  return rows.map((row) => toThread(row, parts(row.key)))
}

/** Comments of a thread to read, and what it has of them in all. */
export interface ShownComments extends InlineComments, Omit<ThreadComments, 'rows'> {}

type Wanted = WantedComments | Map<string, ShownComments>

/** Returns what is stored of each thread besides its row, by key. */
async function readParts(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  keys: string[],
  wanted: Wanted,
  readPeople = readParticipants,
): Promise<(key: string) => ThreadParts> {
  const [comments, participants, reactions] = await together([
    wanted instanceof Map
      ? readInlineComments(db, tenant, organizationKey, wanted).then((read) => withCounts(read, wanted))
      : readComments(db, tenant, organizationKey, keys, wanted),
    readPeople(db, tenant, organizationKey, keys),
    readReactions(db, tenant, organizationKey, keys),
  ])
  return (key) => ({
    comments: comments.get(key),
    participants: participants.get(key),
    reactions: reactions.get(key),
  })
}

const withCounts = (read: Map<string, PackedComment[]>, shown: Map<string, ShownComments>) =>
  new Map(
    Array.from(shown, ([key, { commentsCount, newestAt }]) => {
      const rows = (read.get(key) ?? []).map(unpacked)
      return [key, { rows, commentsCount, newestAt }] as const
    }),
  )

/** What is stored of a thread besides its row. */
interface ThreadParts {
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

interface Selection {
  condition: Sql
  limit: number
  wanted: WantedComments
}

/** Locks threads against other changes, in the order of their keys, and reads them with the wanted comments. */
export async function lockThreads(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { condition, limit, wanted }: Selection,
): Promise<Thread[]> {
  const rows = await lockRows(db, tenant, organizationKey, condition, limit)
  return loadThreads(db, tenant, organizationKey, rows, wanted)
}

const lockRows = (db: Db, { apiKey }: ApiKeyTenant, organizationKey: string, condition: Sql, limit: number) =>
  db.query<ThreadRow>(sql`
    select ${threadColumns}
    from comment_annotation a
    where a.api_key = ${apiKey} and a.organization_key = ${organizationKey} and ${condition}
    order by a.key
    limit ${limit}
    for no key update`)

/** The names of a thread. */
interface ThreadAddress {
  organizationId: string
  documentId: string
  annotationId: string
}

/**
 * Locks one thread of a document and reads it with the wanted comments; undefined if there is none. Default: those that
 * events show. Throws INVALID_ARGUMENT if those that are named and those that events show have more than 32 MiB.
 */
export async function lockThread(
  db: Db,
  tenant: ApiKeyTenant,
  address: ThreadAddress,
  wanted: 'outlines' | { commentIds: number[] } = { commentIds: [] },
): Promise<Thread | undefined> {
  const { organizationKey, documentKey } = keysOfPlace(tenant, address)
  const key = keyOf(address.annotationId)
  // Sent first, so what is sent after it is read under the lock.
  const locked = lockRows(
    db,
    tenant,
    organizationKey,
    sql`a.key = ${key} and ${besides(sql`a.document_key = ${documentKey}`)}`,
    1,
  )
  const read = () => readParts(db, tenant, organizationKey, [key], wanted)
  const commentIds = wanted === 'outlines' ? [] : wanted.commentIds
  if (!mayBeMany(commentIds)) {
    const [[row], parts] = await together([locked, read()])
    return row && toThread(row, parts(key))
  }
  const [row] = await locked
  if (!row) return undefined
  await assertFewBytes(db, tenant, { organizationKey, key, commentIds })
  return toThread(row, (await read())(key))
}

/** As `lockThread`, but throws NOT_FOUND. */
export async function requireThread(
  db: Db,
  tenant: ApiKeyTenant,
  address: ThreadAddress,
  commentIds: number[] = [],
): Promise<Thread> {
  const thread = await lockThread(db, tenant, address, { commentIds })
  if (!thread) throw new ApiError('NOT_FOUND', `There is no annotation ${address.annotationId} in the document.`)
  return thread
}

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
