import { UsageError } from './failure.ts'

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * The epoch milliseconds of a date or time in ISO-8601. One that names no time zone is in UTC, as the service reads
 * those that other commands hand over to it. Throws a UsageError for anything else.
 */
export function momentOf(option: string, given: string): number {
  const time = ISO_8601.test(given) && isDay(given.slice(0, 10)) ? Date.parse(withZone(given)) : Number.NaN
  if (time >= 0) return time
  throw new UsageError(`${option} takes a date such as 2026-01-31, or a time such as 2026-01-31T09:30Z, not ${given}.`)
}

// Of a time without one, Date.parse takes that of the machine.
const withZone = (given: string) => (/T[\d:.]+$/.test(given) ? `${given}Z` : given)

// Date.parse takes 30 February for 2 March.
function isDay(date: string): boolean {
  const midnight = Date.parse(date)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
}
