import { type Sql, sql } from './db/db.ts'
import type { Issue } from './errors.ts'
import { REFUSES_NULL } from './schema.ts'

/** The largest record in bytes of JSON. It bounds pages, events and the growth by merges. */
export const MAX_RECORD_BYTES = 256 * 1024

/** The same limit in words. */
export const SIZE_LIMIT = 'at most 256 KiB of JSON'

/** The most bytes that one change reads of the comments of a thread, or repeats in what it writes. */
export const CHANGE_BYTES = 32 * 1024 * 1024
/** The same limit in words. */
export const CHANGE_BYTES_TEXT = '32 MiB'

/** Options of the schema of a record that keeps fields of the caller's own, but for the read-only ones. */
export const keepsFields = (readOnly: readonly string[]) => ({
  additionalProperties: true,
  'x-read-only': readOnly,
  description: `Fields of your own are kept and given back; ${SIZE_LIMIT}.`,
})

/** The same for a change of such a record, where null clears. */
export const changesFields = (readOnly: readonly string[]) => ({
  ...REFUSES_NULL,
  ...keepsFields(readOnly),
  description: `What changes; afterwards ${SIZE_LIMIT}. Null clears a field of your own.`,
})

/** Option of the schema of such a record as it is returned. */
export const HOLDS_METADATA = { additionalProperties: true } as const

/** Lists the record if it was sent with more than the limit. */
export const oversized = (path: string, record: unknown): Issue[] =>
  isOversized(record) ? [{ path, message: `must hold ${SIZE_LIMIT}` }] : []

/** The same for each record of a list. */
export const oversizedItems = (path: string, records: readonly unknown[]): Issue[] =>
  records.flatMap((record, index) => (isOversized(record) ? oversized(`${path}[${index}]`, record) : []))

const isOversized = (record: unknown) => exceeds(record, MAX_RECORD_BYTES)

/** Whether a value of JSON takes more bytes than that, with all digits of its numbers. For most an estimate says no. */
export const exceeds = (value: unknown, bytes: number): boolean => !fits(value, bytes) && bytesOf(value) > bytes

/**
 * Whether a value of JSON takes no more bytes than that, by an estimate that takes no text; false: it may take more.
 */
export const fits = (value: unknown, bytes: number): boolean => atMost(value) <= bytes

/** A bound of the bytes that takes no text: each code unit of a text is escaped, each number has an exponent. */
function atMost(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 2
  if (typeof value !== 'object' || value === null) return MAX_SCALAR_BYTES
  let sum = 2
  if (Array.isArray(value)) {
    for (const item of value) sum += atMost(item) + 1
  } else {
    for (const key of Object.keys(value)) sum += 6 * key.length + 4 + atMost((value as Record<string, unknown>)[key])
  }
  return sum
}

/** More than the sign, the digits and the exponent of any number, and the digits that the exponent stands for. */
const MAX_SCALAR_BYTES = 400

/** Whether a change makes a record larger than the limit. A record that was larger before may keep its size. */
export function outgrows(before: unknown, after: unknown): boolean {
  const size = bytesOf(after)
  return size > MAX_RECORD_BYTES && size > bytesOf(before)
}

/** SQL: metadata (jsonb) with the keys of an update. A key that the update sets to null goes. */
export const merged = (metadata: Sql, more: Sql): Sql => sql`
  (${metadata} || ${more}) - array(select key from jsonb_each(${more}) where value = 'null'::jsonb)`

/** SQL condition: the merged metadata (jsonb) stays within the limit, or was larger before. */
export const mayMerge = (metadata: Sql, more: Sql): Sql => sql`
  octet_length((${merged(metadata, more)})::text) <= greatest(${MAX_RECORD_BYTES}::int, octet_length(${metadata}::text))`

/** The result of an item whose record has no room for its update. */
export const OUTGROWN = `The update must leave the record with ${SIZE_LIMIT}, counting what it holds already.`

// JSON writes 1e308 in five characters, the database in 309.
const WITH_EXPONENT = /[[,:]-?\d(?:\.\d+)?e[+-]\d+/g

/** The size of a value as JSON in bytes, with all digits of its numbers. */
export function bytesOf(value: unknown): number {
  const text = JSON.stringify(value)
  const numbers = text.match(WITH_EXPONENT) ?? []
  const digits = numbers.reduce((sum, number) => sum + Number(number.split(/e[+-]/)[1]), 0)
  return Buffer.byteLength(text) + digits
}
