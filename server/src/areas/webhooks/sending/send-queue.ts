import type { Clock } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { type Allowance, type Claim, type Claimed, claimReady } from './claim.ts'
import { type EndpointScan, FullScan, IncrementalScan } from './endpoint-scan.ts'
import { findReadyEndpoints, promoteDue, type QueueHead, scanReadyEndpoints } from './ready-endpoints.ts'

/** The extra cost of full scans is at most this share of wall time, unless one is overdue. */
const MAX_SHARE_OF_TIME = 1 / 20
/** Factor by which the measured duration of incremental scans decays with each full scan. */
const DECAY = 0.9
/** The longest pause between full scans. A scan may seem slow only because the machine was suspended. */
const MAX_PAUSE_MS = 5_000

/**
 * The send queue as one process sees it. Sent rows remain in the index while any older transaction is open, so scanning
 * from the start gets slow. Each process therefore remembers per endpoint how far it has claimed, and scans from there.
 * A periodic full scan finds unknown endpoints, and rows that were committed late, requeued or abandoned.
 */
export class SendQueue {
  readonly #db: Db
  readonly #clock: Clock
  readonly #incremental: IncrementalScan
  readonly #full: FullScan
  #fullScanDueAt = Number.NEGATIVE_INFINITY
  /** How long the last incremental scan took. */
  #incrementalMs = 0
  /** Promoted retries, to which the next scan rewinds. */
  readonly #promoted: QueueHead[] = []
  #lastWasFull = true

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#incremental = new IncrementalScan(
      (heads) => findReadyEndpoints(db, heads, clock.now()),
      (ms) => {
        this.#incrementalMs = ms
      },
    )
    this.#full = new FullScan(
      async (after) => {
        const page = await scanReadyEndpoints(db, after, clock.now())
        this.#incremental.remember(page)
        return page
      },
      (ms) => {
        const pause = Math.max(0, ms - this.#incrementalMs) * (1 / MAX_SHARE_OF_TIME - 1)
        this.#fullScanDueAt = performance.now() + Math.min(pause, MAX_PAUSE_MS)
        this.#incrementalMs *= DECAY
      },
    )
  }

  /** Milliseconds until the next full scan is due; 0 when it is due now. */
  get fullScanDueIn(): number {
    return Math.max(0, this.#fullScanDueAt - performance.now())
  }

  /** Returns the full scan when it is due, else the incremental one. Both continue where they stopped. */
  nextScan(): EndpointScan {
    this.#incremental.rewind(this.#promoted.splice(0))
    const scan = this.fullScanDueIn > 0 ? this.#incremental : this.#full
    this.#lastWasFull = scan.isFull
    return scan
  }

  /** Makes the next scan a full one. Returns false, and does nothing, if the last one was. */
  forceFullScan(): boolean {
    if (this.#lastWasFull) return false
    this.#fullScanDueAt = Number.NEGATIVE_INFINITY
    this.#lastWasFull = true
    return true
  }

  /** Claims the oldest ready deliveries of endpoints, from their heads on. */
  async claim(allowances: Allowance[], claim: Claim): Promise<Claimed[]> {
    const claimed = await claimReady(this.#db, allowances, claim)
    if (!claim.paced) this.#incremental.advance(claimed)
    return claimed
  }

  /** Makes due retries ready. Returns how many, and when the next one is due. */
  async promote(): Promise<{ count: number; nextAt: number | null }> {
    const { promoted, nextAt } = await promoteDue(this.#db, this.#clock.now())
    this.#promoted.push(...promoted)
    return { count: promoted.length, nextAt }
  }
}
