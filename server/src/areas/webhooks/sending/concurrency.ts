import { LRUCache } from 'lru-cache'
import { apiKeyIn, type EndpointKey, endpointKeyOf } from './ready-endpoints.ts'

/** The most sends that one endpoint may have in flight. */
const MAX_PER_ENDPOINT = 256
/** The limit of an endpoint that has no success yet: it may hang, and others need the permits. */
const INITIAL_LIMIT = 4
/** No endpoint may hold more than this share of the free permits. Hundreds that hang at once still leave permits. */
const MAX_SHARE_OF_FREE = 1 / 2
/** Endpoints without a success hold at most this share of all permits together; the rest is kept for the others. */
const UNPROVEN_SHARE = 1 / 2
/**
 * The endpoints of an API key hold at most this share of what is free or theirs, so a key of many leaves some to
 * others. So do those of them without a success: else new ones of other keys would wait for all that hang.
 */
const KEY_SHARE = 3 / 4
/** No endpoint may hold more than this share of what its key may still hold. */
const MAX_SHARE_OF_KEY = 2 / 3
// An endpoint that falls out of the cache begins again at the initial limit.
const MAX_REMEMBERED = 20_000

/**
 * Limits the sends in flight by permits: in total, per API key and per endpoint. An endpoint's limit adapts (AIMD):
 * each success adds one, each failure halves what was earned.
 */
export class EndpointConcurrency {
  readonly #total: number
  readonly #inFlight = new Map<string, number>()
  readonly #inFlightOfKey = new Map<string, number>()
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
    const key = endpointKeyOf(endpoint)
    add(this.#inFlight, key, 1)
    add(this.#inFlightOfKey, endpoint.apiKey, 1)
    this.#acquired++
  }

  /** A send has ended, so its endpoint may have another. The permit stays in use until the outcome is recorded. */
  releaseEndpoint(endpoint: EndpointKey): void {
    add(this.#inFlight, endpointKeyOf(endpoint), -1)
    add(this.#inFlightOfKey, endpoint.apiKey, -1)
  }

  /** Gives a permit back. Call it after `releaseEndpoint`. */
  release(): void {
    this.#acquired--
  }

  /** Raises the endpoint's limit after a success and lowers it after a failure. */
  recordOutcome(endpoint: EndpointKey, succeeded: boolean): void {
    const key = endpointKeyOf(endpoint)
    const before = this.#earned.get(key) ?? 0
    const earned = succeeded ? Math.min(before + 1, MAX_PER_ENDPOINT) : Math.floor(before / 2)
    if (earned > 0) this.#earned.set(key, earned)
    else this.#earned.delete(key)
  }

  /**
   * Returns how many more sends each endpoint may start. Together they are about `batch` at most, shared equally among
   * API keys, and among the endpoints of a key.
   */
  quotas(endpoints: EndpointKey[], batch: number): number[] {
    let free = this.free
    const perKey = new Map<string, number>()
    for (const { apiKey } of endpoints) add(perKey, apiKey, 1)
    const share = Math.min(batch, free) / perKey.size
    const left = new Map([...perKey.keys()].map((apiKey) => [apiKey, this.#freeFor(apiKey)]))
    const held = this.#heldByUnproven()
    let unproven = Math.ceil(this.#total * UNPROVEN_SHARE) - sum(held.values())
    const unprovenLeft = new Map([...perKey.keys()].map((apiKey) => [apiKey, shareOf(unproven, held.get(apiKey) ?? 0)]))
    return endpoints.map((endpoint) => {
      const key = endpointKeyOf(endpoint)
      const earned = this.#earned.get(key) ?? 0
      const ofKey = left.get(endpoint.apiKey) ?? 0
      const most = Math.floor(Math.min(free * MAX_SHARE_OF_FREE, ofKey * MAX_SHARE_OF_KEY))
      const limit = Math.min(INITIAL_LIMIT + earned, MAX_PER_ENDPOINT, most)
      const quota = Math.max(
        0,
        Math.min(
          Math.ceil(share / (perKey.get(endpoint.apiKey) ?? 1)),
          limit - (this.#inFlight.get(key) ?? 0),
          earned > 0 ? free : Math.min(unproven, unprovenLeft.get(endpoint.apiKey) ?? 0),
        ),
      )
      free -= quota
      add(left, endpoint.apiKey, -quota)
      if (earned === 0) {
        unproven -= quota
        add(unprovenLeft, endpoint.apiKey, -quota)
      }
      return quota
    })
  }

  /** How many more permits the endpoints of a key may hold. */
  #freeFor(apiKey: string): number {
    return shareOf(this.free, this.#inFlightOfKey.get(apiKey) ?? 0)
  }

  /** How many permits the endpoints without a success hold, by API key. */
  #heldByUnproven(): Map<string, number> {
    const held = new Map<string, number>()
    for (const [key, count] of this.#inFlight) if (!this.#earned.has(key)) add(held, apiKeyIn(key), count)
    return held
  }
}

/** How many more a key may hold of what is free. */
const shareOf = (free: number, own: number): number => Math.floor((free + own) * KEY_SHARE) - own

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0)

/** Adds to a count; one that falls to zero is dropped. */
function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
