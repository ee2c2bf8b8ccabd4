import type { Clock } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { type Allowance, type Claimed, type ClaimTime, claimReady } from './claim.ts'
import { type EndpointScan, FullScan, IncrementalScan } from './endpoint-scan.ts'
import { findReadyEndpoints, promoteDue, type QueueHead, scanReadyEndpoints } from './ready-endpoints.ts'

/**
 * What looking along all that waits takes longer than looking along what is known is this part of the time at most, as far
 * as it is not due before.
 */
const PART_OF_TIME = 1 / 20
/** What was measured long ago counts for less. */
const DECAY = 0.9
/** However long a look along all has taken, the next begins so soon after it: it may be the machine that stood still. */
const LATEST_MS = 5_000

/**
 * What waits to be sent, as one process sees it. What has been sent stays in the way of who looks for the first that waits,
 * as long as a transaction is open that might still see it. So the process remembers how far each endpoint's deliveries
 * have been claimed, and looks from there on. Along all of them it looks when that is due: for endpoints that it does not
 * know, and for deliveries that were committed late, queued again, or given up by another process.
 */
export class SendQueue {
  readonly #db: Db
  readonly #clock: Clock
  readonly #incremental: IncrementalScan
  readonly #full: FullScan
  #fullScanDueAt = Number.NEGATIVE_INFINITY
  /** How long the last look along what is known has taken. */
  #incrementalMs = 0
  /** Where to look again. */
  readonly #promoted: QueueHead[] = []
  /** Whether the last line was the whole one. */
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
        const waiting = await scanReadyEndpoints(db, after, clock.now())
        this.#incremental.remember(waiting)
        return waiting
      },
      (ms) => {
        const wait = Math.max(0, ms - this.#incrementalMs) * (1 / PART_OF_TIME - 1)
        this.#fullScanDueAt = performance.now() + Math.min(wait, LATEST_MS)
        this.#incrementalMs *= DECAY
      },
    )
  }

  /** In how many milliseconds the whole is to be looked along again; 0 when it is time. */
  get fullScanDueIn(): number {
    return Math.max(0, this.#fullScanDueAt - performance.now())
  }

  /** The whole when it is due, else what is known. */
  nextScan(): EndpointScan {
    this.#incremental.rewind(this.#promoted.splice(0))
    const line = this.fullScanDueIn > 0 ? this.#incremental : this.#full
    this.#lastWasFull = line.isFull
    return line
  }

  /** Makes the next line the whole one; false when the last one was. */
  forceFullScan(): boolean {
    if (this.#lastWasFull) return false
    this.#fullScanDueAt = Number.NEGATIVE_INFINITY
    this.#lastWasFull = true
    return true
  }

  /** Claims the oldest deliveries of endpoints from their heads on, all of them paced or none. */
  async claim(allowances: Allowance[], paced: boolean, moment: ClaimTime): Promise<Claimed[]> {
    const claimed = await claimReady(this.#db, allowances, paced, moment)
    if (!paced) this.#incremental.advance(claimed)
    return claimed
  }

  /** Makes ready what is to be tried again; answers how many that were, and when the next is due. */
  async promote(): Promise<{ count: number; nextAt: number | null }> {
    const { promoted, nextAt } = await promoteDue(this.#db, this.#clock.now())
    this.#promoted.push(...promoted)
    return { count: promoted.length, nextAt }
  }
}
