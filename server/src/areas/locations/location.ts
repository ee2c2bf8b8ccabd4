import { json, type Sql, sql } from '../../platform/db/db.ts'
import { type Issue, invalidField } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { MAX_RECORD_BYTES } from '../../platform/record-size.ts'
import { identifier, type Static, Type } from '../../platform/schema.ts'

/** A place in a document, identified by `id` or, without one, by `locationName`. Unknown fields are kept. */
export const Location = Type.Object(
  {
    id: Type.Optional(
      Type.Union([identifier('Id.'), Type.Number()], { description: 'Identifies the location; 0 is one.' }),
    ),
    locationName: Type.Optional(identifier('Name; identifies the location when it has no id.')),
  },
  { additionalProperties: true, description: 'A location in the document, with any fields of your own.' },
)
export type Location = Static<typeof Location>

/** The key of a location, a uuid; null without id and name. The ids 7 and "7" are the same location. */
export function locationKey(location: Location | null | undefined): string | null {
  if (location?.id !== undefined && location.id !== null) return keyOf(`id:${location.id}`)
  return location?.locationName === undefined || location.locationName === null
    ? null
    : keyOf(`name:${location.locationName}`)
}

const UNIDENTIFIED = 'must have an id or a locationName'

/** Reports a location that has neither id nor name. */
export const unidentifiedIssues = (path: string, location: Location): Issue[] =>
  locationKey(location) === null ? [{ path, message: UNIDENTIFIED }] : []

/** The key of a location. Throws INVALID_ARGUMENT naming `path` if it has neither id nor name. */
export function requireLocationKey(location: Location, path: string): string {
  const key = locationKey(location)
  if (key === null) throw invalidField(path, UNIDENTIFIED)
  return key
}

const HEX_DIGITS = 13

/** The number that records show as `locationId`: the first 52 bits of the location's key. */
export function locationId(key: string): number
export function locationId(key: string | null): number | null
export function locationId(key: string | null): number | null {
  return key === null ? null : Number.parseInt(key.replaceAll('-', '').slice(0, HEX_DIGITS), 16)
}

/**
 * The SQL condition that a column of location keys matches a listed location: by its own `id`, or by the `locationId`
 * that records show.
 */
export function atLocations(column: Sql, ids: readonly (string | number)[]): Sql {
  const own = sql`${column} = any(${ids.map((id) => keyOf(`id:${id}`))}::uuid[])`
  const shown = ids.map(Number).filter((id) => Number.isInteger(id) && id >= 0 && id < 2 ** (4 * HEX_DIGITS))
  const [range, ...more] = shown.map(keysShownAs)
  if (!range) return own
  // A single range is compared directly, so that the index serves it.
  if (more.length === 0) return sql`(${own} or ${column} between ${range.first}::uuid and ${range.last}::uuid)`
  const ranges = [range, ...more]
  return sql`(${own} or exists (
    select
    from unnest(${ranges.map(({ first }) => first)}::uuid[], ${ranges.map(({ last }) => last)}::uuid[]) as r (first, last)
    where ${column} between r.first and r.last))`
}

/** The range of keys that have this `locationId`. */
function keysShownAs(id: number): { first: string; last: string } {
  const hex = id.toString(16).padStart(HEX_DIGITS, '0')
  return { first: uuid(hex, '0'), last: uuid(hex, 'f') }
}

/**
 * The SQL value of a jsonb column of locations after a move to `newLocation`. Fields of the old location are kept only
 * if the result fits into one record.
 */
export function migratedLocation(column: Sql, { newLocation, merge }: { newLocation: Location; merge: boolean }): Sql {
  if (!merge) return sql`${json(newLocation)}::jsonb`
  // An old id that the new location lacks would still identify the old one.
  const merged =
    newLocation.id === undefined
      ? sql`(coalesce(${column}, '{}') - 'id') || ${json(newLocation)}::jsonb`
      : sql`coalesce(${column}, '{}') || ${json(newLocation)}::jsonb`
  return sql`
    case when octet_length((${merged})::text) <= ${MAX_RECORD_BYTES}::int then ${merged} else ${json(newLocation)}::jsonb end`
}

function uuid(start: string, fill: string): string {
  const hex = start.padEnd(32, fill)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
