import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import type { IndexedJudgment } from '../judgment/indexed-judgment.ts'
import { INDEXED_CHARACTERS } from '../judgment/judgment-text.ts'

/** Judgments per read. Indexing them blocks the event loop, so they are few. */
const PAGE = 100

/** A change to a judgment, with its present state. */
export interface Change extends IndexedJudgment {
  change: number
  isDeleted: boolean
}

/** Changes by ascending number. */
export interface Page {
  /** The last change number of the API key. */
  last: number
  /** Some of the deletions up to this change are no longer stored. */
  prunedTo: number
  changes: Change[]
}

/**
 * The next page of changes after `seen`: `PAGE` consecutive numbers, possibly fewer rows because later changes replaced
 * some. One statement reads both tables, so that no change is missed. A range of numbers uses the index even without
 * table statistics; a sorted list of 33,000 new rows took 500 times as long.
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

/** Judgments by ascending change number, from `first` to `last`; at most `PAGE`. */
export async function readByChange(
  db: Db,
  apiKey: string,
  { first, last }: { first: number; last: number },
): Promise<(IndexedJudgment & { change: number })[]> {
  return db.query<IndexedJudgment & { change: number }>(sql`
    select j.change, ${indexedColumns}
    from judgment j
    where j.api_key = ${apiKey} and j.change between ${first}::bigint and ${last}::bigint
    order by j.change
    limit ${PAGE}`)
}

/** SQL: the indexed columns of `judgment j`. */
export const indexedColumns = sql`
  j.key, j.organization_key as organization, j.document_key as document, j.decision, j.judge_type as "judgeType",
  j.content_type as "contentType", j.reviewer_key as "reviewerId", j.created_at as "createdAt",
  left(j.reasoning, ${INDEXED_CHARACTERS}) as reasoning, left(j.content, ${INDEXED_CHARACTERS}) as content`

/** Reads at most `limit` judgments of an API key that meet a condition over `judgment j`. */
export async function readIndexed(db: Db, apiKey: string, condition: Sql, limit: number): Promise<IndexedJudgment[]> {
  return db.query<IndexedJudgment>(sql`
    select ${indexedColumns}
    from judgment j
    where j.api_key = ${apiKey} and ${condition}
    order by j.change
    limit ${limit}`)
}
