import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { bytesOf, CHANGE_BYTES, CHANGE_BYTES_TEXT } from '../../../platform/record-size.ts'

/** A record takes as much by itself, so it does not matter how many repeat less. */
const SMALL_BYTES = 1024

/** What a thread has got that records of other kinds repeat. Null: nothing. */
export interface Given {
  annotationKey: string
  value: object | null
}

/** Those of the threads that have got something large. */
export const largeOf = <Thread extends Given>(threads: Thread[]): Thread[] =>
  threads.filter(({ value }) => value !== null && bytesOf(value) > SMALL_BYTES)

/** How many rows of `rows`, a join that names each thread as `m`, there are of each thread, by its key. */
export async function countRows(db: Db, rows: Sql): Promise<Map<string, number>> {
  const counts = await db.query<{ key: string; count: number }>(sql`
    select m.annotation_key as key, count(*) as count
    from ${rows}
    group by m.annotation_key`)
  return new Map(counts.map(({ key, count }) => [key, count]))
}

/** Throws FAILED_PRECONDITION if so many rows would hold the values, whole, in more than 32 MiB. */
export function assertFits(threads: Given[], counts: ReadonlyMap<string, number>, what: string): void {
  const bytes = threads.reduce(
    (sum, { annotationKey, value }) => sum + (counts.get(annotationKey) ?? 0) * bytesOf(value),
    0,
  )
  if (bytes <= CHANGE_BYTES) return
  throw new ApiError(
    'FAILED_PRECONDITION',
    `${what} would be repeated in more than ${CHANGE_BYTES_TEXT}; make it smaller, or update fewer annotations. Nothing was changed.`,
  )
}
