import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { heldBytes } from '../comments/thread/held-bytes.ts'
import { loadThreads } from '../comments/thread/read-threads.ts'
import type { ShownThread } from '../comments/thread/shown-thread.ts'
import { isVisibleTo } from '../comments/thread/shown-to.ts'
import { type ThreadRow, threadColumns, toAnnotation } from '../comments/thread/thread.ts'
import { type DecisionContext, decideForUsers, viewsOf } from '../permissions/provider/decide-for-users.ts'
import { PAGE, type Part, type Subject } from './export.ts'

/** The most comments that a thread shows inline. */
const MAX_INLINE = 200

/** After which thread a page begins; with a position, within it: after that comment of the user. */
export type ThreadCursor = [key: string, seq: number | null]

interface Found extends ThreadRow {
  fetched: number
  documentId: string
  isAuthor: boolean
  /** Whether the visibility of the thread admits the user. */
  isAdmitted: boolean
  commentsCount: number
  /** When its newest comment was made, shown or not. */
  newestAt: number
  /** The positions of the comments that are shown. */
  seqs: number[]
  /** The last comment of the user that is shown, where others of the user are left. */
  ownUpTo: number | null
}

/**
 * Reads the threads that the user wrote in or started, or is mentioned in and may see. A thread shows the comments of
 * the user first, then its first comment and its latest, at most 200 and within the bytes of a page. Where those of the
 * user do not fit, the thread is repeated on the next page with the rest.
 */
export async function exportThreads(
  context: DecisionContext,
  subject: Subject,
  after: ThreadCursor,
): Promise<Part<ShownThread, ThreadCursor>> {
  const { db, tenant } = context
  const { organizationId, organizationKey } = subject
  const rows = await findThreads(db, tenant.apiKey, subject, after)
  const repeated = rows.findIndex(({ ownUpTo }) => ownUpTo !== null)
  const page = rows.slice(0, repeated >= 0 && repeated < PAGE ? repeated + 1 : PAGE)
  const shown = await visibleTo(context, subject, page)
  const inline = new Map(
    shown.flatMap(({ key, seqs: [firstSeq, ...seqs], commentsCount, newestAt }) =>
      firstSeq === undefined ? [] : [[key, { firstSeq, fromSeq: null, seqs, commentsCount, newestAt }] as const],
    ),
  )
  const threads = await loadThreads(db, tenant, organizationKey, shown, inline)
  const items = threads.flatMap((thread, index) => {
    const about = shown[index]
    if (!about) return []
    const { documentId, commentsCount, seqs } = about
    const annotation = toAnnotation(thread, { apiKey: tenant.apiKey, organizationId, documentId })
    return [{ ...annotation, ...(seqs.length < commentsCount && { commentsTruncated: true }) }]
  })
  const last = page.at(-1)
  if (!last) return { items, next: null }
  if (last.ownUpTo !== null) return { items, next: [last.key, last.ownUpTo] }
  return { items, next: page.length < last.fetched ? [last.key, null] : null }
}

function findThreads(db: Db, apiKey: string, subject: Subject, [afterKey, afterSeq]: ThreadCursor): Promise<Found[]> {
  const { organizationKey, userId, userKey, maxBytes } = subject
  return db.query<Found>(sql`
    with page as materialized (
      select annotation_key as key, is_author
      from comment_participant
      where api_key = ${apiKey} and user_key = ${userKey} and organization_key = ${organizationKey}
        and (annotation_key > ${afterKey}::uuid or (annotation_key = ${afterKey}::uuid and ${afterSeq !== null}::boolean))
        and (is_author or is_mentioned)
      order by annotation_key
      limit ${PAGE + 1}
    ),
    ${chosenComments(apiKey, subject, [afterKey, afterSeq])},
    sized as (
      select a.*, p.is_author, i.total, i.newest_at, i.seqs, i.own_up_to, count(*) over () as fetched,
        sum(b.bytes) over (order by a.key) - b.bytes as bytes_before
      from page p
      cross join lateral (
        select *
        from comment_annotation
        where api_key = ${apiKey} and organization_key = ${organizationKey} and key = p.key
        limit 1
      ) a
      left join inline i on i.annotation_key = a.key
      cross join lateral (
        select a.size + coalesce(i.bytes, 0) + ${heldBytes({ apiKey, organizationKey })} as bytes
        -- So that it is counted once.
        offset 0
      ) b
    )
    select ${threadColumns}, a.is_author as "isAuthor", a.fetched,
      ${isVisibleTo(apiKey, subject, userId)} as "isAdmitted",
      (select id
       from document
       where api_key = ${apiKey} and organization_key = ${organizationKey} and key = a.document_key) as "documentId",
      coalesce(a.total, 0) as "commentsCount", coalesce(a.newest_at, 0) as "newestAt",
      coalesce(a.seqs, '{}') as seqs, a.own_up_to as "ownUpTo"
    from sized a
    where a.bytes_before < ${maxBytes}::bigint
    order by a.key`)
}

/**
 * SQL: which comments each thread of `page` shows (`inline`): those of the user first, but not what was shown before.
 */
const chosenComments = (
  apiKey: string,
  { organizationKey, userId, maxBytes }: Subject,
  [afterKey, afterSeq]: ThreadCursor,
): Sql => sql`
    numbered as (
      select c.annotation_key, c.seq, c.size, c.record #>> '{from,userId}' = ${userId} as is_own,
        count(*) over (partition by c.annotation_key) as total,
        max(c.created_at) over (partition by c.annotation_key) as newest_at,
        row_number() over (partition by c.annotation_key order by c.seq) as n
      from comment c
      where c.api_key = ${apiKey} and c.organization_key = ${organizationKey}
        and c.annotation_key = any(array(select key from page))
    ),
    ranked as (
      select *, row_number() over w as place, sum(size) over w as bytes_so_far
      from numbered c
      where not (is_own and c.annotation_key = ${afterKey}::uuid and c.seq <= ${afterSeq ?? 0}::bigint)
      window w as (
        partition by annotation_key order by is_own desc, case when is_own then seq end, n = 1 desc, seq desc
      )
    ),
    chosen as (
      select *, place = 1 or (place <= ${MAX_INLINE}::bigint and bytes_so_far <= ${maxBytes}::bigint) as is_shown
      from ranked
    ),
    -- Kept: without statistics the planner would make it anew for each thread.
    inline as materialized (
      select annotation_key, max(total) as total, max(newest_at) as newest_at, sum(size) filter (where is_shown) as bytes,
        array_agg(seq order by seq) filter (where is_shown) as seqs,
        case when bool_or(is_own and not is_shown) then max(seq) filter (where is_own and is_shown) end as own_up_to
      from chosen
      group by annotation_key
    )`

/** The threads that the user wrote in, and of the others those that the user may see. */
async function visibleTo(
  context: DecisionContext,
  { organizationId, userId }: Subject,
  rows: Found[],
): Promise<Found[]> {
  const documentIds = [...new Set(rows.filter(({ isAuthor }) => !isAuthor).map(({ documentId }) => documentId))]
  if (documentIds.length === 0) return rows
  const decisions = await decideForUsers(context, organizationId, viewsOf(userId, documentIds))
  const allowed = new Set(documentIds.filter((_, index) => decisions[index]?.allowed))
  return rows.filter(({ isAuthor, isAdmitted, documentId }) => isAuthor || (isAdmitted && allowed.has(documentId)))
}
