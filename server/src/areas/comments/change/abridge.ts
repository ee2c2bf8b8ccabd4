import { bytesOf, fits, MAX_RECORD_BYTES } from '../../../platform/record-size.ts'

// The events of one call repeat at most this much of each kind of record in their payloads.
const MAX_BYTES_PER_CALL = 8 * 1024 * 1024

/**
 * The maximal bytes of JSON per record, given the number of events of a call. Up to 32 events may hold whole records.
 */
export const byteBudget = (events: number): number =>
  Math.min(MAX_RECORD_BYTES, Math.floor(MAX_BYTES_PER_CALL / Math.max(1, events)))

// What tells which record it is. Each has at most 256 characters, of up to four bytes; a longer one is a caller's own.
const ID_FIELDS = ['id', 'annotationId', 'commentId', 'organizationId', 'documentId', 'userId'] as const
const IDS = new Set<string>(ID_FIELDS)
const MAX_ID_BYTES = 4 * 256 + 2

/** A record whose fields may have been dropped, except ids and lists. */
export type Abridged<Shape extends object> = {
  [Field in keyof Shape]: Field extends (typeof ID_FIELDS)[number]
    ? Shape[Field]
    : Shape[Field] extends readonly unknown[]
      ? Shape[Field]
      : Shape[Field] | undefined
} & { isAbridged?: true }

/**
 * Abridges what a thread holds of itself, such as its status, but keeps its type and its name, each at most 256
 * characters long. A suggestion may have something else than texts there, which is abridged as any field is.
 */
export function abridgePart<Part extends object>(part: Part, maxBytes: number): Part {
  const abridged = abridge(part, maxBytes)
  if (abridged === part) return part
  const texts = Object.entries(part).filter(([field, value]) => KEPT.has(field) && typeof value === 'string')
  return { ...abridged, ...Object.fromEntries(texts.map(([field, text]) => [field, beginningOf(text)])) } as Part
}

const KEPT = new Set(['type', 'name'])
const beginningOf = (text: string): string => text.slice(0, 256).toWellFormed()

/**
 * Abridges a record to about `maxBytes` of JSON: drops its largest fields but no id, empties large lists, and marks it
 * `isAbridged`. Records that fit stay as they are, and so do all records when a whole one is allowed.
 */
export function abridge<Shape extends object>(record: Shape, maxBytes: number): Abridged<Shape> {
  if (maxBytes >= MAX_RECORD_BYTES || fits(record, maxBytes)) return record as Abridged<Shape>
  const fields = Object.entries(record).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, value, bytes: bytesOf(value) }],
  )
  const whole = fields.reduce((sum, { field, bytes }) => sum + bytesOf(field) + bytes + 2, 1)
  if (whole <= maxBytes) return record as Abridged<Shape>
  const abridged = { ...record, isAbridged: true }
  let excess = whole - maxBytes
  const droppable = fields.filter(({ field, bytes }) => !IDS.has(field) || bytes > MAX_ID_BYTES)
  for (const { field, value, bytes } of droppable.sort((a, b) => b.bytes - a.bytes)) {
    if (excess <= 0) break
    Object.assign(abridged, { [field]: Array.isArray(value) ? [] : undefined })
    excess -= bytes
  }
  return abridged as Abridged<Shape>
}
