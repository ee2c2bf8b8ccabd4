import { isSuccess, type OutboundResponse } from '../../../platform/outbound/outbound.ts'
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The waits before each retry in milliseconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
export const STANDARD_SCHEDULE = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
] as const

/** An endpoint that fails this long without a success is disabled. */
export const DISABLE_AFTER_MS = 5 * 24 * HOUR

/** After this long without an attempt, a failure starts a new period. Waits of the endpoint's schedule do not count. */
export const QUIET_MS = 36 * HOUR

// A longer Retry-After is cut to this.
const LONGEST_RETRY_AFTER_MS = 24 * HOUR
const JITTER = 0.1

/** The result of an attempt that decides about its retry. */
export interface Attempt {
  /** Attempts in this run of the schedule, this one included. */
  tries: number
  endedAt: number
  /** The HTTP status, or null without a response. */
  status: number | null
  retryAfter?: OutboundResponse['headers'][string]
}

/** What follows from an attempt; `dueAt` is in epoch milliseconds. */
export type RetryDecision = { status: 'succeeded' } | { status: 'failed' } | { status: 'scheduled'; dueAt: number }

/**
 * Decides what follows from an attempt. Any 2xx succeeds. Otherwise the next wait of the schedule applies, with up to a
 * tenth of jitter and at least Retry-After. After the last wait the delivery has failed.
 */
export function decideRetry(
  attempt: Attempt,
  schedule: readonly number[],
  random: () => number = Math.random,
): RetryDecision {
  if (isSuccess(attempt.status)) return { status: 'succeeded' }
  const wait = schedule[attempt.tries - 1]
  if (wait === undefined) return { status: 'failed' }
  const jittered = Math.round(wait * (1 + JITTER * random()))
  const asked = Math.min(retryAfterMs(attempt.retryAfter, attempt.endedAt), LONGEST_RETRY_AFTER_MS)
  return { status: 'scheduled', dueAt: attempt.endedAt + Math.max(jittered, asked) }
}
