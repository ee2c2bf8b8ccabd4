import { type Sql, sql } from './db/db.ts'

/** A row of a page that was cut by `withinBytes`. */
export interface Cut {
  /** How many rows there were before the cut. */
  fetched: number
}

/**
 * SQL: the first rows of a query, as many as hold less than `maxBytes` together, and at least one. `rows` selects one
 * row more than a page has, with its bytes in the column `size`; `order` is its order, in the names of its columns.
 * What the cut removes is never sent to the process.
 */
export const withinBytes = (rows: Sql, order: Sql, maxBytes: number): Sql => sql`
  select *
  from (
    select *, count(*) over () as fetched, sum(size) over (order by ${order}) - size as bytes_before
    from (${rows}) r
  ) r
  where bytes_before < ${maxBytes}::bigint
  order by ${order}`

/**
 * The rows of a page of at most `pageSize`, and its last row if others follow it. One row more was read, if there was
 * one; `withinBytes` may have cut it off.
 */
export function pageOf<Row>(rows: (Row & Partial<Cut>)[], pageSize: number): { page: Row[]; last: Row | undefined } {
  const page = rows.slice(0, pageSize)
  const hasMore = page.length < (rows[0]?.fetched ?? rows.length)
  return { page, last: hasMore ? page.at(-1) : undefined }
}

/**
 * A whole list that is read page by page: the items if one page holds them all, else batches of items that are read as
 * the caller takes them. `readPage` reads the rows after a row.
 */
export async function wholeList<Row, Item>(
  readPage: (after: Row | undefined) => Promise<{ page: Row[]; last: Row | undefined }>,
  toItem: (row: Row) => Item,
): Promise<Item[] | AsyncIterable<Item[]>> {
  const first = await readPage(undefined)
  if (!first.last) return first.page.map(toItem)
  return (async function* () {
    for (let next = first; ; next = await readPage(next.last)) {
      yield next.page.map(toItem)
      if (!next.last) return
    }
  })()
}
