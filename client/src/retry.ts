import type { RetryOptions } from './call-options.ts'
import { ConnectionError, PrecedentError } from './errors.ts'

/** How a call is retried. */
export interface RetryPolicy extends RetryOptions {
  /** False: the call is sent again only where the failure itself says that nothing was done. */
  isRepeatable: boolean
  signal: AbortSignal | undefined
}

const MAX_BACKOFF_MS = 8_000

// The longest time that a timer takes, 24 days; infinity would fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Runs an attempt until it succeeds, fails for good, or the policy allows no more. Before each further attempt it
 * waits: exponentially longer, with jitter, and never less than `Retry-After`. Rejects with the last failure.
 */
export async function withRetries<Result>(
  attempt: (timeoutMs: number) => Promise<Result>,
  policy: RetryPolicy,
): Promise<Result> {
  const { maxRetries = 3, retryDelayMs = 500, timeoutMs = 60_000, totalTimeoutMs = 120_000, signal } = policy
  const deadline = performance.now() + Math.min(totalTimeoutMs, MAX_TIMER_MS)
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(Math.min(timeoutMs, deadline - performance.now()))
    } catch (error) {
      const backoff = Math.min(retryDelayMs * 2 ** retries, MAX_BACKOFF_MS)
      const delay = (askedToWait(error) ?? backoff / 2) + (Math.random() * backoff) / 2
      const isInTime = performance.now() + delay < deadline
      if (retries >= maxRetries || !isInTime || !mayPass(error, policy.isRepeatable)) throw error
      await sleep(delay, signal)
    }
  }
}

const askedToWait = (error: unknown) =>
  error instanceof PrecedentError && error.retryAfter !== undefined ? error.retryAfter * 1000 : undefined

function mayPass(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable
  if (!(error instanceof PrecedentError)) return false
  // Nothing was done: the call was over a limit, or rolled back because of concurrent changes.
  if (error.httpStatus === 429 || error.status === 'ABORTED') return true
  return isRepeatable && [502, 503, 504].includes(error.httpStatus)
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
