import { groupBy } from '../../../platform/bulk.ts'
import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../../platform/db/db.ts'
import type { CommentRecord } from './comment.ts'
import type { CommentRow } from './read-comments.ts'

/** The comments of a thread to read, by their positions (`comment.seq`). */
export interface InlineComments {
  firstSeq: number
  /** Those from a position on, up to another; null: only the first. */
  fromSeq: number | null
  lastSeq?: number | null
  /** Further ones. */
  seqs?: number[]
}

/** A comment whose record is kept as JSON, which takes less memory than its objects. */
export type PackedComment = Omit<CommentRow, 'record'> & { record: string }

/**
 * Those comments of threads that are wanted, by the keys of the threads. `shown`: only of the threads with these keys.
 */
export async function readInlineComments(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  inline: Map<string, InlineComments>,
  shown?: Sql,
) {
  const threads = [...inline]
  const rows = await db.query<PackedComment>(sql`
    select c.annotation_key as key, c.id, c.record::text as record, c.created_at, c.updated_at
    from unnest(
      (select ${threads.map(([key]) => key)}::uuid[]),
      (select ${threads.map(([, { firstSeq }]) => firstSeq)}::bigint[]),
      (select ${threads.map(([, { fromSeq }]) => fromSeq)}::bigint[]),
      (select ${threads.map(([, { lastSeq = null }]) => lastSeq)}::bigint[]),
      (select ${threads.map(([, { seqs = [] }]) => `{${seqs}}`)}::text[])
    ) as t (key, first_seq, from_seq, last_seq, seqs)
    -- Each array is in a select of its own, so that the planner does not see its length: it would plan anew at each call.
    -- The offset forces one look-up per thread: a join may compare each comment with each thread.
    cross join lateral (
      select *
      from comment
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and annotation_key = t.key
        and (seq = t.first_seq or seq between t.from_seq and t.last_seq or seq = any(t.seqs::bigint[]))
      offset 0
    ) c
    ${shown ? sql`where c.annotation_key = any(${shown})` : empty}
    order by c.seq`)
  return groupBy(rows, ({ key }) => key)
}

/** A comment as stored. */
export const unpacked = (row: PackedComment): CommentRow => ({
  ...row,
  record: JSON.parse(row.record) as CommentRecord,
})
