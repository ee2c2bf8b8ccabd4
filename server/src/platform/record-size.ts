import { type Sql, sql } from './db/db.ts'
import type { Issue } from './errors.ts'

/** The most JSON that callers may keep in one record, in bytes: it bounds pages, events and what merges grow to. */
export const MAX_RECORD_BYTES = 256 * 1024

/** The same in words. */
export const SIZE_LIMIT = 'at most 256 KiB of JSON'

/** Names a record that is sent with more than one may hold. */
export const oversized = (path: string, record: unknown): Issue[] =>
  bytesOf(record) > MAX_RECORD_BYTES ? [{ path, message: `must hold ${SIZE_LIMIT}` }] : []

/** The same for each of a list. */
export const oversizedItems = (path: string, records: readonly unknown[]): Issue[] =>
  records.flatMap((record, index) => oversized(`${path}[${index}]`, record))

/** Whether a change makes a record hold more than it may; one that did so before may stay as large. */
export function outgrows(before: unknown, after: unknown): boolean {
  const size = bytesOf(after)
  return size > MAX_RECORD_BYTES && size > bytesOf(before)
}

/** SQL: the same of metadata (jsonb) that is merged, as the condition that it may be. */
export const mayMerge = (metadata: Sql, more: Sql): Sql => sql`
  octet_length((${metadata} || ${more})::text) <= greatest(${MAX_RECORD_BYTES}::int, octet_length(${metadata}::text))`

/** What the result of an item says whose record has no room for its update. */
export const OUTGROWN = `The update must leave the record with ${SIZE_LIMIT}, counting what it holds already.`

// JSON writes 1e308 in five characters, the database in 309.
const EXPONENT = /(?<=[[,:]-?\d(?:\.\d+)?e[+-])\d+/g

/** The bytes of a value as JSON, numbers with all their digits. */
export function bytesOf(value: unknown): number {
  const text = JSON.stringify(value)
  const digits = (text.match(EXPONENT) ?? []).reduce((sum, exponent) => sum + Number(exponent), 0)
  return Buffer.byteLength(text) + digits
}
