import { bytesOf, MAX_RECORD_BYTES } from '../../../platform/record-size.ts'

// Whatever one call changes, its events repeat at most this much in each of the places where a payload has a record.
const MAX_BYTES_PER_CALL = 8 * 1024 * 1024

/** How much JSON each record in the payloads of so many events may be: a whole one for up to 32 events of a call. */
export const byteBudget = (events: number): number =>
  Math.min(MAX_RECORD_BYTES, Math.floor(MAX_BYTES_PER_CALL / Math.max(1, events)))

/**
 * A record as the payloads of many events show it: without its largest fields, as many as it takes to fit, and then
 * marked `isAbridged`. Lists are emptied instead. Records that fit, and those with room for a whole one, stay as they are.
 */
export function abridge<Shape extends object>(record: Shape, maxBytes: number): Shape {
  if (maxBytes >= MAX_RECORD_BYTES) return record
  let excess = bytesOf(record) - maxBytes
  if (excess <= 0) return record
  const abridged = { ...record, isAbridged: true }
  const fields = Object.entries(record).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, value, bytes: bytesOf(value) }],
  )
  for (const { field, value, bytes } of fields.sort((a, b) => b.bytes - a.bytes)) {
    if (excess <= 0) break
    Object.assign(abridged, { [field]: Array.isArray(value) ? [] : undefined })
    excess -= bytes
  }
  return abridged
}
