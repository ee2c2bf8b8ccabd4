const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The waits before each retry: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
export const STANDARD_SCHEDULE = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
] as const

/** For so long an endpoint may fail without one success before it is disabled. */
export const DISABLE_AFTER_MS = 5 * 24 * HOUR

/** After so long without an attempt, besides what its own schedule waits, an endpoint's next failure is the first again. */
export const QUIET_MS = 36 * HOUR

// A receiver may ask for patience, not for eternity.
const LONGEST_RETRY_AFTER_MS = 24 * HOUR
const JITTER = 0.1

/** What an attempt came to, as far as retrying is concerned. */
export interface Attempt {
  /** How many attempts there were in this run of the schedule, this one included. */
  tries: number
  endedAt: number
  /** The HTTP status, or null without an answer. */
  status: number | null
  retryAfter?: string | undefined
}

/** What follows from an attempt. */
export type Verdict = { status: 'succeeded' } | { status: 'failed' } | { status: 'scheduled'; dueAt: number }

/** Any 2xx succeeds; else the next wait of the schedule follows, never shorter than Retry-After, until there is none. */
export function judge(attempt: Attempt, schedule: readonly number[], random: () => number = Math.random): Verdict {
  if (isSuccess(attempt.status)) return { status: 'succeeded' }
  const wait = schedule[attempt.tries - 1]
  if (wait === undefined) return { status: 'failed' }
  const jittered = Math.round(wait * (1 + JITTER * random()))
  const asked = Math.min(retryAfterMs(attempt), LONGEST_RETRY_AFTER_MS)
  return { status: 'scheduled', dueAt: attempt.endedAt + Math.max(jittered, asked) }
}

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** Retry-After in milliseconds: seconds or an HTTP date; 0 where it is missing or says nothing (RFC 9110 §10.2.3). */
function retryAfterMs({ retryAfter = '', endedAt }: Attempt): number {
  const text = retryAfter.trim()
  if (/^\d+$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - endedAt)
}
