import { LRUCache } from 'lru-cache'
import { ApiError } from '../../errors.ts'
import type { Closing } from '../../turns/turns.ts'

/** What a caller has left of its calls: the values of the RateLimit headers. */
export interface Allowance {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until it may make `limit` calls again, at least 1. */
  resetSeconds: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

const MOST_CALLERS = 10_000

/**
 * Limits the calls per second of each caller to one process, in memory. A caller that was idle may make a second's
 * calls at once. Of more than 10,000 callers, those idle for longest are forgotten.
 */
export class CallRate {
  readonly #perSecond: number
  readonly #buckets = new LRUCache<string, Bucket>({ max: MOST_CALLERS })

  /** `perSecond` 0 sets no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Counts a call at a time in milliseconds; undefined where there is no limit. */
  consume(caller: string, now: number): Allowance | undefined {
    const limit = this.#perSecond
    if (limit === 0) return undefined
    const bucket = this.#buckets.get(caller) ?? { tokens: limit, filledAt: now }
    bucket.tokens = Math.min(limit, bucket.tokens + ((now - bucket.filledAt) / 1_000) * limit)
    bucket.filledAt = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    this.#buckets.set(caller, bucket)
    const resetSeconds = Math.max(1, Math.ceil((limit - bucket.tokens) / limit))
    return { allowed, limit, remaining: Math.floor(bucket.tokens), resetSeconds }
  }
}

/** Limits the calls of each caller that one process works on at a time. */
export class CallConcurrency {
  readonly #most: number
  readonly #running = new Map<string, number>()

  /** `most` 0 sets no limit. */
  constructor(most: number) {
    this.#most = most
  }

  /** Counts a call until its response closes, also where the caller leaves without it, or has left. */
  enterUntilClosed(caller: string, response: Closing): void {
    const leave = this.enter(caller)
    if (response.destroyed) leave()
    else response.once('close', leave)
  }

  /** Counts a call until the returned function is called. RESOURCE_EXHAUSTED beyond the limit. */
  enter(caller: string): () => void {
    if (this.#most === 0) return () => {}
    const running = this.#running.get(caller) ?? 0
    if (running >= this.#most) {
      throw new ApiError('RESOURCE_EXHAUSTED', `More than ${this.#most} calls with these credentials are in progress.`)
    }
    this.#running.set(caller, running + 1)
    return () => {
      const left = (this.#running.get(caller) ?? 1) - 1
      if (left === 0) this.#running.delete(caller)
      else this.#running.set(caller, left)
    }
  }
}

interface Reply {
  header(name: string, value: number): unknown
}

/** Tells the caller what it has left; RESOURCE_EXHAUSTED where that is nothing. */
export function enforce(allowance: Allowance, message: string, reply: Reply): void {
  reply.header('ratelimit-limit', allowance.limit)
  reply.header('ratelimit-remaining', allowance.remaining)
  reply.header('ratelimit-reset', allowance.resetSeconds)
  if (allowance.allowed) return
  reply.header('retry-after', allowance.resetSeconds)
  throw new ApiError('RESOURCE_EXHAUSTED', message)
}

/** Limits the calls of an API key, of a workspace, or of a session of the console, a second and at a time. */
export function limitCalls(
  { rate, concurrency }: { rate: CallRate; concurrency: CallConcurrency },
  key: string,
  reply: Reply & { raw: Closing },
): void {
  const allowance = rate.consume(key, performance.now())
  if (allowance) enforce(allowance, 'Too many calls with these credentials. Try again later.', reply)
  concurrency.enterUntilClosed(key, reply.raw)
}

/** What a route says of its callers. */
export interface Limited {
  /** They are known by their credentials. */
  hasCredentials?: boolean
  /** They are operators, who are never limited. */
  isProbe?: boolean
}

/** Limits the requests of an address that need no credentials. */
export function limitAddress(
  rate: CallRate,
  address: () => string,
  { hasCredentials, isProbe }: Limited,
  reply: Reply,
): void {
  if (hasCredentials || isProbe) return
  const allowance = rate.consume(address(), performance.now())
  if (allowance && !allowance.allowed)
    enforce(allowance, 'Too many requests from this address. Try again later.', reply)
}
