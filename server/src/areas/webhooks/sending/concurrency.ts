import { LRUCache } from 'lru-cache'
import type { ReadyEndpoint } from './ready-endpoints.ts'

/** The most sends that one endpoint may have in flight. */
const MAX_PER_ENDPOINT = 256
/** The limit of an endpoint that has no success yet: it may hang, and others need the permits. */
const INITIAL_LIMIT = 4
/** No endpoint may hold more than this share of the free permits. Hundreds that hang at once still leave permits. */
const MAX_SHARE_OF_FREE = 1 / 2
/** Endpoints without a success hold at most this share of all permits together; the rest is kept for the others. */
const UNPROVEN_SHARE = 1 / 2
// An endpoint that falls out of the cache begins again at the initial limit.
const MAX_REMEMBERED = 20_000

export type EndpointKey = Pick<ReadyEndpoint, 'apiKey' | 'endpointId'>

/**
 * Limits the sends in flight by permits, in total and per endpoint. An endpoint's limit adapts (AIMD): each success
 * adds one, each failure halves what was earned.
 */
export class EndpointConcurrency {
  readonly #total: number
  readonly #inFlight = new Map<string, number>()
  readonly #earned = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  #acquired = 0

  constructor(total: number) {
    this.#total = total
  }

  /** How many permits are free. */
  get free(): number {
    return this.#total - this.#acquired
  }

  /** Takes a permit for a send to an endpoint. */
  acquire(endpoint: EndpointKey): void {
    const key = keyOf(endpoint)
    this.#inFlight.set(key, (this.#inFlight.get(key) ?? 0) + 1)
    this.#acquired++
  }

  /** A send has ended, so its endpoint may have another. The permit stays in use until the outcome is recorded. */
  releaseEndpoint(endpoint: EndpointKey): void {
    const key = keyOf(endpoint)
    const left = (this.#inFlight.get(key) ?? 0) - 1
    if (left > 0) this.#inFlight.set(key, left)
    else this.#inFlight.delete(key)
  }

  /** Gives a permit back. Call it after `releaseEndpoint`. */
  release(): void {
    this.#acquired--
  }

  /** Raises the endpoint's limit after a success and lowers it after a failure. */
  recordOutcome(endpoint: EndpointKey, succeeded: boolean): void {
    const key = keyOf(endpoint)
    const before = this.#earned.get(key) ?? 0
    const earned = succeeded ? Math.min(before + 1, MAX_PER_ENDPOINT) : Math.floor(before / 2)
    if (earned > 0) this.#earned.set(key, earned)
    else this.#earned.delete(key)
  }

  /** Returns how many more sends each endpoint may start. Together they are about `batch` at most. */
  quotas(endpoints: EndpointKey[], batch: number): number[] {
    let free = this.free
    const share = Math.ceil(Math.min(batch, free) / endpoints.length)
    let unproven = Math.ceil(this.#total * UNPROVEN_SHARE) - this.#inFlightOfUnproven()
    return endpoints.map((endpoint) => {
      const key = keyOf(endpoint)
      const earned = this.#earned.get(key) ?? 0
      const limit = Math.min(INITIAL_LIMIT + earned, MAX_PER_ENDPOINT, Math.floor(free * MAX_SHARE_OF_FREE))
      const quota = Math.max(0, Math.min(share, limit - (this.#inFlight.get(key) ?? 0), earned > 0 ? free : unproven))
      free -= quota
      if (earned === 0) unproven -= quota
      return quota
    })
  }

  #inFlightOfUnproven(): number {
    let total = 0
    for (const [key, count] of this.#inFlight) if (!this.#earned.has(key)) total += count
    return total
  }
}

const keyOf = ({ apiKey, endpointId }: EndpointKey) => `${apiKey} ${endpointId}`
