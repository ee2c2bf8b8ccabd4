import type { ApiKeyScope, ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, sql } from '../../../platform/db/db.ts'
import { invalidField } from '../../../platform/errors.ts'
import { CHANGE_BYTES, CHANGE_BYTES_TEXT } from '../../../platform/record-size.ts'
import type { CommentRecord } from './comment.ts'

/** How many of the latest comments the events of a thread show, besides the first. */
export const LATEST_COMMENTS = 9

/** A stored comment under the key of its thread. */
export interface CommentRow {
  key: string
  id: number
  record: CommentRecord
  created_at: number
  updated_at: number
}

/** Where a thread is stored. */
export interface ThreadKeys {
  organizationKey: string
  annotationKey: string
}

/** Which comments of threads a change reads: all, or those that events show and these ones. */
export type WantedComments = 'all' | NamedComments

export interface NamedComments {
  /** Those with these ids. */
  commentIds?: number[]
  /** The latest of each of these users. */
  latestBy?: string[]
  /** All others too, but only their people and times. */
  outlines?: boolean
}

/** What was read of the comments of a thread. */
export interface ThreadComments {
  /** In the order of adding. */
  rows: CommentRow[]
  /** How many the thread has. */
  commentsCount: number
  /** When the newest of them was made. */
  newestAt: number
}

interface CountedRow extends CommentRow, Omit<ThreadComments, 'rows'> {}

/** Reads comments of threads, by the keys of the threads. */
export async function readComments(
  db: Db,
  { apiKey }: ApiKeyScope,
  organizationKey: string,
  keys: string[],
  wanted: WantedComments,
): Promise<Map<string, ThreadComments>> {
  const rows = await db.query<CountedRow>(sql`
    select n.annotation_key as key, n.id, ${hasOutlines(wanted) ? orOutline : sql`record`} as record, c.created_at,
      c.updated_at, n.total as "commentsCount", n.newest_at as "newestAt"
    from (${numbered({ apiKey, organizationKey, keys }, wanted)}) n
    -- Only of these, and each by its key: a thread may have very many others.
    cross join lateral (
      select record, created_at, updated_at
      from comment
      where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = n.annotation_key
        and id = n.id
      offset 0
    ) c
    where ${isWanted(wanted)}
    order by n.seq`)
  const threads = new Map<string, ThreadComments>()
  for (const { commentsCount, newestAt, ...row } of rows) {
    const thread = threads.get(row.key) ?? { rows: [], commentsCount, newestAt }
    thread.rows.push(row)
    threads.set(row.key, thread)
  }
  return threads
}

interface Threads {
  apiKey: string
  organizationKey: string
  keys: string[]
}

/**
 * SQL: the comments of threads, whether they are named, what those of a thread are together, and of the others (`rest`)
 * how many there are and which place this one has. Named ones may be deleted: then events show more of the others.
 */
const numbered = ({ apiKey, organizationKey, keys }: Threads, wanted: WantedComments) => {
  const { commentIds = [], latestBy = [] } = wanted === 'all' ? {} : wanted
  return sql`
    select annotation_key, id, seq, size, is_named, ${isLatestBy(latestBy)} as is_latest,
      count(*) over of_thread as total, max(created_at) over of_thread as newest_at,
      count(*) over of_rest as rest, row_number() over (of_rest order by seq) as place
    from (
      select *, id = any(${commentIds}::bigint[]) as is_named
      from comment
      where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = any(${keys}::uuid[])
    ) c
    window of_thread as (partition by annotation_key), of_rest as (partition by annotation_key, is_named)`
}

// It looks into the records, so only where it must.
const isLatestBy = (userIds: string[]) =>
  userIds.length === 0
    ? sql`false`
    : sql`record #>> '{from,userId}' = any(${userIds}::text[])
        and row_number() over (partition by annotation_key, record #>> '{from,userId}' order by seq desc) = 1`

const isShown = sql`(place = 1 or place > rest - ${LATEST_COMMENTS}::bigint)`

const isMeant = sql`(is_named or is_latest or ${isShown})`

const isWanted = (wanted: WantedComments) => (wanted === 'all' || wanted.outlines ? sql`true` : isMeant)

const hasOutlines = (wanted: WantedComments) => wanted !== 'all' && wanted.outlines

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

const orOutline = sql`
  case when ${isMeant} then record
    else ${json(OUTLINE)}::jsonb || jsonb_build_object('from', record -> 'from', 'to', record -> 'to')
  end`

/** As many comments, with those that events show, have at most 28 MiB. */
export const FEW_COMMENTS = 100

/** Whether the comments that a change of these ones reads whole may have more than 32 MiB, by their number alone. */
export const mayBeMany = (commentIds: number[]): boolean => commentIds.length > FEW_COMMENTS

/** Throws INVALID_ARGUMENT if the comments that a change of these ones would read whole have more than 32 MiB. */
export async function assertFewBytes(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, key, commentIds }: { organizationKey: string; key: string; commentIds: number[] },
): Promise<void> {
  const wanted = { commentIds }
  const [found] = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(size), 0)::bigint as bytes
    from (${numbered({ apiKey: tenant.apiKey, organizationKey, keys: [key] }, wanted)}) n
    where ${isWanted(wanted)}`)
  if (!found || found.bytes <= CHANGE_BYTES) return
  throw invalidField('commentIds', `must name comments of at most ${CHANGE_BYTES_TEXT} in all`)
}

/** How many bytes the comments of threads have that events show: of each thread the first and the latest. */
export async function shownBytes(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  keys: string[],
): Promise<number> {
  const [found] = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(c.size), 0)::bigint as bytes
    from unnest(${keys}::uuid[]) as k (key)
    cross join lateral (
      (
        select seq, size
        from comment
        where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and annotation_key = k.key
        order by seq
        limit 1
      ) union (
        select seq, size
        from comment
        where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and annotation_key = k.key
        order by seq desc
        limit ${LATEST_COMMENTS}::bigint
      )
    ) c`)
  return found?.bytes ?? 0
}
