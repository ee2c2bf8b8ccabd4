import type { Clock } from '../../../platform/context.ts'
import { type Allowance, type Claim, type Claimed, type ClaimTime, latestSlot } from './claim.ts'
import type { EndpointConcurrency } from './concurrency.ts'
import { endpointKeyOf, type ReadyEndpoint } from './ready-endpoints.ts'
import type { SendQueue } from './send-queue.ts'

const BATCH = 256
// When another process has locked an endpoint for its own claim, try again after this time.
const CONTENDED_MS = 20
// However slow the database is, slots are taken at most twice this far ahead.
const MAX_EXPECTED_LATENCY_MS = 10_000

interface ClaimerOptions {
  queue: Pick<SendQueue, 'claim'>
  concurrency: EndpointConcurrency
  clock: Clock
  /** Starts a send and acquires its permit. */
  start: (delivery: Claimed) => void
  /** Asks for another turn after a delay. */
  schedule: (inMs: number) => void
}

/** Claims deliveries of ready endpoints, within their permits, order and rate limits, and starts each. */
export class Claimer {
  readonly #queue: Pick<SendQueue, 'claim'>
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

  /**
   * Claims for a page of endpoints. Returns how many deliveries it started, and whether the page has no others that
   * were ready: true if each endpoint had some, and fewer than it was allowed.
   */
  async claim(page: ReadyEndpoint[]): Promise<{ claimed: number; isAll: boolean }> {
    const time = { now: this.#clock.now(), expectedLatencyMs: this.#expectedLatencyMs }
    const allowances = this.#allow(page, time)
    // Paced endpoints first: their slots are counted from `time`.
    const paced = await this.#claimAlike(allowances, { ...time, paced: true })
    const unpaced = await this.#claimAlike(allowances, { ...time, paced: false })
    const claimed = paced.length + unpaced.length
    if (claimed < allowances.length) this.#schedule(CONTENDED_MS)
    return { claimed, isAll: allowances.length === page.length && haveNoMore(allowances, unpaced) }
  }

  /** Claims for the paced endpoints or for the others. Starts the sends before anything else can fail. */
  async #claimAlike(allowances: Allowance[], claim: Claim): Promise<Claimed[]> {
    const alike = allowances.filter(({ paced }) => paced === claim.paced)
    if (alike.length === 0) return []
    const start = performance.now()
    const claimed = await this.#queue.claim(alike, claim)
    const latencyMs = Math.max(performance.now() - start, this.#expectedLatencyMs / 2)
    this.#expectedLatencyMs = Math.min(MAX_EXPECTED_LATENCY_MS, latencyMs)
    for (const delivery of claimed) this.#start(delivery)
    return claimed
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

/** Whether each endpoint had something to claim, and less than it was allowed. Paced endpoints may always have more. */
function haveNoMore(allowances: Allowance[], claimed: Claimed[]): boolean {
  const counts = new Map<string, number>()
  for (const key of claimed.map(endpointKeyOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return allowances.every((allowance) => {
    const had = counts.get(endpointKeyOf(allowance)) ?? 0
    return had > 0 && had < allowance.count
  })
}
