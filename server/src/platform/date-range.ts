import type { Issue } from './errors.ts'
import { type Static, Type, timestamp } from './schema.ts'

/** A day in milliseconds, as times are. */
export const DAY_MS = 86_400_000

const Moment = Type.Union([
  timestamp('Epoch milliseconds.'),
  Type.String({ description: 'ISO-8601, UTC where it names no time zone.' }),
])

/** A span of time that includes both ends; a missing end is open. */
export const DateRange = Type.Object({
  start: Type.Optional(Moment),
  end: Type.Optional(Moment),
})
export type DateRange = Static<typeof DateRange>

// RFC 3339 times, dates alone, and times without a zone, which Date.parse would read in the machine's time zone.
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const WITHOUT_ZONE = /T[\d:.]+$/

/** The ends in epoch milliseconds; NaN for an invalid time. */
export const endsOf = ({ start, end }: DateRange) => ({
  start: start === undefined ? Number.MIN_SAFE_INTEGER : millisecondsOf(start),
  end: end === undefined ? Number.MAX_SAFE_INTEGER : millisecondsOf(end),
})

/** Lists what is wrong with a range that was sent as `path`. */
export function dateRangeIssues(range: DateRange | undefined, path: string): Issue[] {
  if (!range) return []
  const ends = endsOf(range)
  const wrong = (['start', 'end'] as const).filter((end) => Number.isNaN(ends[end]))
  if (wrong.length > 0) {
    return wrong.map((end) => ({
      path: `${path}.${end}`,
      message: 'must be an existing ISO-8601 date or time',
    }))
  }
  return ends.start > ends.end ? [{ path: `${path}.start`, message: `must not be after ${path}.end` }] : []
}

function millisecondsOf(moment: number | string): number {
  if (typeof moment === 'number') return moment
  if (!ISO_8601.test(moment) || !isDay(moment.slice(0, 10))) return Number.NaN
  return Date.parse(WITHOUT_ZONE.test(moment) ? `${moment}Z` : moment)
}

// Date.parse takes 30 February for 2 March.
function isDay(date: string): boolean {
  const midnight = Date.parse(date)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
}
