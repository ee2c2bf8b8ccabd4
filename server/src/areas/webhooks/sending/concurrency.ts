import { LRUCache } from 'lru-cache'
import type { ReadyEndpoint } from './ready-endpoints.ts'

/** What one endpoint may hold at most. */
const MAX_PER_ENDPOINT = 256
/** An endpoint that has not answered well yet may be one that hangs: it gets few of the places that others need. */
const FIRST_PLACES = 4
/** No endpoint holds more than this part of what is free: hundreds that hang at once still leave places for others. */
const PART_OF_FREE = 1 / 2
/** All endpoints that have not answered well yet hold so much together: the rest is kept for those that have. */
const PART_OF_UNPROVEN = 1 / 2
// Of endpoints forgotten for others the next answer tells again.
const MAX_REMEMBERED = 20_000

export type EndpointKey = Pick<ReadyEndpoint, 'apiKey' | 'endpointId'>

/**
 * Shares the places for sends under way out among endpoints. They earn theirs: each success adds one, each failure
 * halves what was earned.
 */
export class EndpointConcurrency {
  readonly #total: number
  readonly #held = new Map<string, number>()
  readonly #earned = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  #taken = 0

  constructor(total: number) {
    this.#total = total
  }

  get free(): number {
    return this.#total - this.#taken
  }

  acquire(endpoint: EndpointKey): void {
    const key = keyOf(endpoint)
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1)
    this.#taken++
  }

  /** The endpoint has answered, and may have another under way: recording that takes a place, but none of its own. */
  releaseEndpoint(endpoint: EndpointKey): void {
    const key = keyOf(endpoint)
    const left = (this.#held.get(key) ?? 0) - 1
    if (left > 0) this.#held.set(key, left)
    else this.#held.delete(key)
  }

  /** To be called after `answered`. */
  release(): void {
    this.#taken--
  }

  /** Tells how an endpoint has answered. */
  recordOutcome(endpoint: EndpointKey, succeeded: boolean): void {
    const key = keyOf(endpoint)
    const before = this.#earned.get(key) ?? 0
    const earned = succeeded ? Math.min(before + 1, MAX_PER_ENDPOINT) : Math.floor(before / 2)
    if (earned > 0) this.#earned.set(key, earned)
    else this.#earned.delete(key)
  }

  /** How many more each endpoint may have under way, of about `batch` for all of them. */
  quotas(endpoints: EndpointKey[], batch: number): number[] {
    let free = this.free
    const share = Math.ceil(Math.min(batch, free) / endpoints.length)
    let unproven = Math.ceil(this.#total * PART_OF_UNPROVEN) - this.#heldByUnproven()
    return endpoints.map((endpoint) => {
      const key = keyOf(endpoint)
      const earned = this.#earned.get(key) ?? 0
      const most = Math.min(FIRST_PLACES + earned, MAX_PER_ENDPOINT, Math.floor(free * PART_OF_FREE))
      const quota = Math.max(0, Math.min(share, most - (this.#held.get(key) ?? 0), earned > 0 ? free : unproven))
      free -= quota
      if (earned === 0) unproven -= quota
      return quota
    })
  }

  #heldByUnproven(): number {
    let count = 0
    for (const [key, held] of this.#held) if (!this.#earned.has(key)) count += held
    return count
  }
}

const keyOf = ({ apiKey, endpointId }: EndpointKey) => `${apiKey} ${endpointId}`
