import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import type { IndexedJudgment } from '../judgment/indexed-judgment.ts'

/** Judgments read at once: what it takes to index them holds up everything else in the process. */
const PAGE = 100
/** As much of a text as tells what it is about. */
const INDEXED_CHARACTERS = 20_000

/** A judgment as it is indexed. */
export interface IndexedRow extends Omit<IndexedJudgment, 'recordId'> {
  key: string
}

/** What became of a judgment. */
export interface Change extends IndexedRow {
  change: number
  isDeleted: boolean
}

/** Changes in their order. */
export interface Page {
  /** The number of the last change that there is. */
  last: number
  /** Of the deletions up to this change some are not to be had any more. */
  prunedTo: number
  changes: Change[]
}

/**
 * The first changes after one, of as many numbers as a page has, which may be fewer changes: those between were changed
 * again. In one statement, so that none is passed over. A range of numbers is looked up by its index even while the
 * planner knows nothing of the table; a sorted list of 33,000 new rows took it 500 times as long.
 */
export async function readChanges(db: Db, apiKey: string, seen: number): Promise<Page> {
  const rows = await db.query<Omit<Page, 'changes'> & (Change | { change: null })>(sql`
    with page as materialized (
      select start, start + ${PAGE} as stop
      from (
        select least(
          (select change
          from judgment
          where api_key = ${apiKey} and change > ${seen}::bigint
          order by change
          limit 1),
          (select change
          from judgment_deletion
          where api_key = ${apiKey} and change > ${seen}::bigint
          order by change
          limit 1)
        ) as start
      ) s
    )
    select l.change as last, l.pruned_to as "prunedTo", c.*
    from judgment_log l
    left join (
      select change, false as "isDeleted", ${indexedColumns}
      from judgment j
      where api_key = ${apiKey} and change >= (select start from page) and change < (select stop from page)
      union all
      select change, true, key, null, null, null, null, null, null, null, null, null
      from judgment_deletion
      where api_key = ${apiKey} and change >= (select start from page) and change < (select stop from page)
    ) c on true
    where l.api_key = ${apiKey}
    order by c.change`)
  const { last = seen, prunedTo = 0 } = rows[0] ?? {}
  return { last, prunedTo, changes: rows.flatMap((row) => (row.change === null ? [] : [row])) }
}

/** SQL: what the index knows of `judgment j`. */
export const indexedColumns = sql`
  j.key, j.organization_key as organization, j.document_key as document, j.decision, j.judge_type as "judgeType",
  j.content_type as "contentType", j.reviewer_key as "reviewerId", j.created_at as "createdAt",
  left(j.reasoning, ${INDEXED_CHARACTERS}) as reasoning, left(j.content, ${INDEXED_CHARACTERS}) as content`

/** The judgments of an API key that meet a condition over `judgment j`, at most `limit`. */
export async function readIndexed(db: Db, apiKey: string, condition: Sql, limit: number): Promise<IndexedRow[]> {
  return db.query<IndexedRow & object>(sql`
    select ${indexedColumns}
    from judgment j
    where j.api_key = ${apiKey} and ${condition}
    order by j.change
    limit ${limit}`)
}
