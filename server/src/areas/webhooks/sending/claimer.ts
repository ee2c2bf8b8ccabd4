import type { Clock } from '../../../platform/context.ts'
import { type Allowance, type Claimed, type ClaimTime, latestSlot } from './claim.ts'
import type { EndpointConcurrency } from './concurrency.ts'
import type { ReadyEndpoint } from './ready-endpoints.ts'
import type { SendQueue } from './send-queue.ts'

const BATCH = 256
// When another process has locked an endpoint for its own claim, try again after this time.
const CONTENDED_MS = 20
// However slow the database is, slots are taken at most twice this far ahead.
const MAX_EXPECTED_LATENCY_MS = 10_000

interface ClaimerOptions {
  queue: SendQueue
  concurrency: EndpointConcurrency
  clock: Clock
  /** Starts a send and acquires its permit. */
  start: (delivery: Claimed) => void
  /** Asks for another turn after a delay. */
  schedule: (inMs: number) => void
}

/** Claims deliveries of ready endpoints, within their permits, order and rate limits, and starts each. */
export class Claimer {
  readonly #queue: SendQueue
  readonly #concurrency: EndpointConcurrency
  readonly #clock: Clock
  readonly #start: (delivery: Claimed) => void
  readonly #schedule: (inMs: number) => void
  /** How long a claim is expected to take: the last duration, or half of the previous expectation if that is longer. */
  #expectedLatencyMs = 0

  constructor({ queue, concurrency, clock, start, schedule }: ClaimerOptions) {
    this.#queue = queue
    this.#concurrency = concurrency
    this.#clock = clock
    this.#start = start
    this.#schedule = schedule
  }

  /** Claims for a page of endpoints and returns how many deliveries it started. */
  async claim(page: ReadyEndpoint[]): Promise<number> {
    const time = { now: this.#clock.now(), expectedLatencyMs: this.#expectedLatencyMs }
    const allowances = this.#allow(page, time)
    // Paced endpoints first: their slots are counted from `time`.
    const claimed = (await this.#claimAlike(allowances, true, time)) + (await this.#claimAlike(allowances, false, time))
    if (claimed < allowances.length) this.#schedule(CONTENDED_MS)
    return claimed
  }

  /** Claims for the paced endpoints or for the others. Starts the sends before anything else can fail. */
  async #claimAlike(allowances: Allowance[], paced: boolean, time: ClaimTime): Promise<number> {
    const alike = allowances.filter((allowance) => allowance.paced === paced)
    if (alike.length === 0) return 0
    const start = performance.now()
    const claimed = await this.#queue.claim(alike, paced, time)
    const latencyMs = Math.max(performance.now() - start, this.#expectedLatencyMs / 2)
    this.#expectedLatencyMs = Math.min(MAX_EXPECTED_LATENCY_MS, latencyMs)
    for (const delivery of claimed) this.#start(delivery)
    return claimed.length
  }

  /** Shares the free permits among the endpoints that may be sent to now; schedules a turn for the others. */
  #allow(page: ReadyEndpoint[], time: ClaimTime): Allowance[] {
    const open = page.filter(({ active, rateLimited, nextSendAt }) => {
      const wait = nextSendAt - (rateLimited ? latestSlot(time) : time.now)
      if (active && wait > 0) this.#schedule(Math.ceil(wait))
      return active && wait <= 0
    })
    const quotas = this.#concurrency.quotas(open, BATCH)
    return open
      .map(({ apiKey, endpointId, from, paced }, i) => ({ apiKey, endpointId, from, paced, count: quotas[i] ?? 0 }))
      .filter(({ count }) => count > 0)
  }
}
