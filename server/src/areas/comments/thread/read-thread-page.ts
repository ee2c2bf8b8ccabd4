import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, raw, type Sql, sql } from '../../../platform/db/db.ts'
import { type Cut, pageOf } from '../../../platform/page.ts'
import type { InlineComments } from '../comment/read-inline-comments.ts'
import { heldBytes } from './held-bytes.ts'
import type { ThreadRow } from './thread.ts'

/** The most comments that a thread shows inline: the first and the latest. */
const MAX_INLINE = 200

/** A row of a thread whose record is kept as JSON, which takes less memory than its objects. */
interface PackedThread extends Omit<ThreadRow, 'record'> {
  record: string
}

/** A thread of a page, the number of its comments, and which of them it shows. */
export interface PagedThread extends PackedThread {
  documentId: string
  commentsCount: number
  inlineCount: number
  /** When its newest comment was made, shown or not. */
  newestAt: number
  inline: InlineComments | null
}

interface PageQuery {
  organizationKey: string
  /** A condition over `comment_annotation a`. */
  condition: Sql
  order: 'asc' | 'desc'
  pageSize: number
  maxBytes: number
}

interface Row extends PackedThread, Cut {
  documentId: string
  commentsCount: number
  inlineCount: number
  newestAt: number
  firstSeq: number | null
  fromSeq: number | null
  lastSeq: number | null
}

/**
 * Reads a page of threads in the order of their last change. A page is limited by number and by bytes, and has at least
 * one thread. The database cuts it by sizes alone, so nothing beyond the page is read.
 */
export async function readThreadPage(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { organizationKey, condition, order, pageSize, maxBytes }: PageQuery,
): Promise<{ page: PagedThread[]; last: Pick<PagedThread, 'updatedAt' | 'key'> | undefined }> {
  const byChange = sql`a.updated_at ${raw(order)}, a.key ${raw(order)}`
  const rows = await db.query<Row>(sql`
    with page as materialized (
      select a.*, row_number() over (order by ${byChange}) as place,
        a.size + ${heldBytes({ apiKey, organizationKey })} as own_bytes
      from (
        select *
        from comment_annotation a
        where a.api_key = ${apiKey} and a.organization_key = ${organizationKey} and ${condition}
        order by ${byChange}
        limit ${pageSize + 1}
      ) a
    ),
    numbered as (
      select c.annotation_key, c.seq, c.size, count(*) over (partition by c.annotation_key) as total,
        max(c.created_at) over (partition by c.annotation_key) as newest_at,
        row_number() over (partition by c.annotation_key order by c.seq) as n
      from comment c
      where c.api_key = ${apiKey} and c.organization_key = ${organizationKey}
        and c.annotation_key = any(array(select key from page))
    ),
    latest as (
      select *, sum(size) over (partition by annotation_key order by n = 1 desc, seq desc) as bytes_so_far
      from numbered
      where n = 1 or n > total - ${MAX_INLINE - 1}::bigint
    ),
    -- Kept: without statistics the planner would make it anew for each thread.
    inline as materialized (
      select annotation_key, max(total) as total, max(newest_at) as newest_at, count(*) as shown, sum(size) as bytes,
        min(seq) as first_seq, min(seq) filter (where n > 1) as from_seq, max(seq) as last_seq
      from latest
      where n = 1 or bytes_so_far <= ${maxBytes}::bigint
      group by annotation_key
    ),
    sized as (
      select a.*, i.total, i.newest_at, i.shown, i.first_seq, i.from_seq, i.last_seq, count(*) over () as fetched,
        sum(a.own_bytes + coalesce(i.bytes, 0)) over (order by a.place) - a.own_bytes - coalesce(i.bytes, 0)
          as bytes_before
      from page a
      -- As a left join, since inline has threads of the page alone. But no nested loop can make it: the planner expects
      -- few rows, and would compare each thread with each other one.
      full join inline i on i.annotation_key = a.key
    )
    select a.key, a.id, a.number, a.record::text as record, a.created_at as "createdAt", a.updated_at as "updatedAt",
      d.id as "documentId", coalesce(a.total, 0) as "commentsCount",
      coalesce(a.shown, 0) as "inlineCount", coalesce(a.newest_at, 0) as "newestAt",
      a.first_seq as "firstSeq", a.from_seq as "fromSeq", a.last_seq as "lastSeq", a.fetched
    from sized a
    join document d on d.api_key = ${apiKey} and d.organization_key = ${organizationKey} and d.key = a.document_key
    where a.bytes_before < ${maxBytes}::bigint
    order by a.place`)
  const { page, last } = pageOf(rows, pageSize)
  return { page: page.map(toPaged), last }
}

const toPaged = ({ firstSeq, fromSeq, lastSeq, fetched: _, ...thread }: Row): PagedThread => ({
  inline: firstSeq === null ? null : { firstSeq, fromSeq, lastSeq },
  ...thread,
})
