import { groupBy } from '../../../platform/bulk.ts'
import type { ApiKeyScope, ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, type Sql, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { hexId, keyOf } from '../../../platform/id.ts'
import { locationId, locationKey } from '../../locations/location.ts'
import type { AnnotationRecord, CommentAnnotation } from './annotation.ts'
import type { Comment, CommentRecord } from './comment.ts'
import { type Participant, readParticipants } from './participant.ts'
import type { Place } from './place.ts'

/** How many of the latest comments the events of a thread show, besides the first. */
export const LATEST_COMMENTS = 9

/** A thread with its comments in the order of adding, and its participants. */
export interface Thread {
  key: string
  id: string
  number: number
  record: AnnotationRecord
  createdAt: number
  updatedAt: number
  comments: Comment[]
  participants: Participant[]
  reactionIds: string[]
}

/** A row of `comment_annotation as a`, read by `threadColumns`. */
export type ThreadRow = Pick<Thread, 'key' | 'id' | 'number' | 'record' | 'createdAt' | 'updatedAt'>

export const threadColumns = sql`
  a.key, a.id, a.number, a.record, a.created_at as "createdAt", a.updated_at as "updatedAt"`

/** The comments of a thread to read, by their positions (`comment.seq`). */
export interface InlineComments {
  firstSeq: number
  /** Those from a position on; null: only the first. */
  fromSeq: number | null
  /** Further ones. */
  seqs?: number[]
}

/**
 * Reads the comments, participants and reactions of threads of one organization, in three statements for any number of
 * threads. With a map by key, only those comments are read.
 */
export async function loadThreads(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  rows: ThreadRow[],
  wanted: WholeComments | Map<string, InlineComments> = 'all',
): Promise<Thread[]> {
  if (rows.length === 0) return []
  const keys = rows.map(({ key }) => key)
  const [comments, participants, reactions] = await Promise.all([
    wanted instanceof Map
      ? readInlineComments(db, tenant, organizationKey, wanted)
      : readComments(db, tenant, organizationKey, keys, wanted),
    readParticipants(db, tenant, organizationKey, keys),
    readReactions(db, tenant, organizationKey, keys),
  ])
  return rows.map(({ key, id, number, record, createdAt, updatedAt }) => {
    const own = { key, id, number, record, createdAt, updatedAt }
    const reacted = groupBy(reactions.get(key) ?? [], ({ comment_id }) => comment_id)
    return {
      ...own,
      comments: (comments.get(key) ?? []).map((row) => toComment(row, reacted.get(row.id))),
      participants: participants.get(key) ?? [],
      reactionIds: idsOf(reacted.get(null)),
    }
  })
}

interface Selection {
  condition: Sql
  limit: number
  /** Which comments are read whole. */
  whole: WholeComments
}

/**
 * Locks threads against other changes, in the order of their keys, and reads them. Comments that are not read whole have
 * only their people and times.
 */
export async function lockThreads(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { condition, limit, whole }: Selection,
): Promise<Thread[]> {
  const rows = await db.query<ThreadRow>(sql`
    select ${threadColumns}
    from comment_annotation a
    where a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey} and ${condition}
    order by a.key
    limit ${limit}
    for no key update`)
  return loadThreads(db, tenant, organizationKey, rows, whole)
}

type ThreadAddress = Pick<Place, 'organizationKey' | 'documentKey'>

/**
 * Locks one thread of a document and reads it, as `lockThreads` does; undefined if there is none. Of its comments, those
 * that are named and those that events show are read whole.
 */
export async function lockThread(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey }: ThreadAddress,
  annotationId: string,
  commentIds: number[] = [],
): Promise<Thread | undefined> {
  const condition = sql`a.key = ${keyOf(annotationId)} and a.document_key = ${documentKey}`
  const [thread] = await lockThreads(db, tenant, organizationKey, { condition, limit: 1, whole: { commentIds } })
  return thread
}

/** As `lockThread`, but throws NOT_FOUND. */
export async function requireThread(
  db: Db,
  tenant: ApiKeyTenant,
  address: ThreadAddress,
  annotationId: string,
  commentIds: number[] = [],
): Promise<Thread> {
  const thread = await lockThread(db, tenant, address, annotationId, commentIds)
  if (!thread) throw new ApiError('NOT_FOUND', `There is no annotation ${annotationId} in the document.`)
  return thread
}

/** A stored comment under the key of its thread. */
export interface CommentRow {
  key: string
  id: number
  record: CommentRecord
  created_at: number
  updated_at: number
}

/** All comments, or besides those that events show, the first and the latest, those with these ids. */
export type WholeComments = 'all' | { commentIds: number[] }

async function readComments(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  keys: string[],
  whole: WholeComments,
) {
  const rows = await db.query<CommentRow>(sql`
    select annotation_key as key, id, ${whole === 'all' ? sql`record` : wholeOrOutline(whole)} as record, created_at,
      updated_at
    from (
      select *, row_number() over (partition by annotation_key order by seq) as place,
        row_number() over (partition by annotation_key order by seq desc) as place_from_end
      from comment
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
        and annotation_key = any(${keys}::uuid[])
    ) c
    order by seq`)
  return groupBy(rows, ({ key }) => key)
}

/** What a comment has that was not read whole, besides its people. */
const OUTLINE = {
  type: 'text',
  status: 'added',
  isCommentTextAvailable: true,
  attachments: [],
  recorders: [],
  customList: [],
  taggedUserContacts: [],
  toOrganizationUserGroup: [],
  isAbridged: true,
}

// When named comments are deleted, events show as many more of those before them.
const wholeOrOutline = ({ commentIds }: { commentIds: number[] }): Sql => sql`
  case
    when place = 1 or place_from_end <= ${LATEST_COMMENTS + commentIds.length}::bigint or id = any(${commentIds}::bigint[])
    then record
    else ${json(OUTLINE)}::jsonb || jsonb_build_object('from', record -> 'from', 'to', record -> 'to')
  end`

async function readInlineComments(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  inline: Map<string, InlineComments>,
) {
  const threads = [...inline]
  const rows = await db.query<CommentRow>(sql`
    select c.annotation_key as key, c.id, c.record, c.created_at, c.updated_at
    from unnest(
      ${threads.map(([key]) => key)}::uuid[],
      ${threads.map(([, { firstSeq }]) => firstSeq)}::bigint[],
      ${threads.map(([, { fromSeq }]) => fromSeq)}::bigint[],
      ${threads.map(([, { seqs = [] }]) => `{${seqs}}`)}::text[]
    ) as t (key, first_seq, from_seq, seqs)
    join comment c
      on c.api_key = ${tenant.apiKey} and c.organization_key = ${organizationKey} and c.annotation_key = t.key
    where c.seq = t.first_seq or c.seq >= t.from_seq or c.seq = any(t.seqs::bigint[])
    order by c.seq`)
  return groupBy(rows, ({ key }) => key)
}

interface ReactionRow {
  key: string
  id: string
  comment_id: number | null
}

/** The reactions to threads and their comments, by the key of the thread. */
export async function readReactions(db: Db, tenant: ApiKeyScope, organizationKey: string, keys: string[]) {
  const rows = await db.query<ReactionRow>(sql`
    select annotation_key as key, id, comment_id
    from reaction
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and annotation_key = any(${keys}::uuid[])
    order by seq`)
  return groupBy(rows, ({ key }) => key)
}

const idsOf = (reactions: ReactionRow[] = []) => reactions.map(({ id }) => id)

/** Converts stored comments to comments as returned, with their reactions. */
export function toComments(rows: CommentRow[], reactions: Map<string, ReactionRow[]>): Comment[] {
  const byThread = new Map(
    [...reactions].map(([key, each]) => [key, groupBy(each, ({ comment_id }) => comment_id)] as const),
  )
  return rows.map((row) => toComment(row, byThread.get(row.key)?.get(row.id)))
}

/** Converts a stored comment to a comment as returned, with its reactions. */
const toComment = ({ id, record, created_at, updated_at }: CommentRow, reactions?: ReactionRow[]): Comment => ({
  ...record,
  commentId: id,
  createdAt: created_at,
  lastUpdated: updated_at,
  reactionAnnotationIds: idsOf(reactions),
})

/** The thread as returned and as events carry it. */
export function toAnnotation(
  thread: Thread,
  { apiKey, organizationId, documentId }: { apiKey: string; organizationId: string; documentId: string },
): CommentAnnotation {
  const { record, participants } = thread
  const seen = newestCommentAt(thread)
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
    viewedByUserIds: userIdsOf(participants.filter(({ viewedAt }) => viewedAt !== null && viewedAt >= seen)),
    reactionAnnotationIds: thread.reactionIds,
  }
}

/** The time of the newest comment of a thread. */
export const newestCommentAt = ({ comments }: Thread): number =>
  comments.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
