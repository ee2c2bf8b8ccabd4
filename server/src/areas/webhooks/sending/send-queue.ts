import type { Clock } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { type Allowance, type Claimed, claimReady, type Moment } from './claim.ts'
import { KnownLine, type Line, WholeLine } from './endpoint-scan.ts'
import { type Head, promoteDue, revisit, visitWaiting } from './ready-endpoints.ts'

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
export class Queue {
  readonly #db: Db
  readonly #clock: Clock
  readonly #known: KnownLine
  readonly #whole: WholeLine
  #wholeDueAt = Number.NEGATIVE_INFINITY
  /** How long the last look along what is known has taken. */
  #knownMs = 0
  /** Where to look again. */
  readonly #promoted: Head[] = []
  /** Whether the last line was the whole one. */
  #isWhole = true

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#known = new KnownLine(
      (heads) => revisit(db, heads, clock.now()),
      (ms) => {
        this.#knownMs = ms
      },
    )
    this.#whole = new WholeLine(
      async (after) => {
        const waiting = await visitWaiting(db, after, clock.now())
        this.#known.meet(waiting)
        return waiting
      },
      (ms) => {
        const wait = Math.max(0, ms - this.#knownMs) * (1 / PART_OF_TIME - 1)
        this.#wholeDueAt = performance.now() + Math.min(wait, LATEST_MS)
        this.#knownMs *= DECAY
      },
    )
  }

  /** In how many milliseconds the whole is to be looked along again; 0 when it is time. */
  get wholeDueIn(): number {
    return Math.max(0, this.#wholeDueAt - performance.now())
  }

  /** The whole when it is due, else what is known. */
  line(): Line {
    this.#known.goBack(this.#promoted.splice(0))
    const line = this.wholeDueIn > 0 ? this.#known : this.#whole
    this.#isWhole = line.isWhole
    return line
  }

  /** Makes the next line the whole one; false when the last one was. */
  lookAlong(): boolean {
    if (this.#isWhole) return false
    this.#wholeDueAt = Number.NEGATIVE_INFINITY
    this.#isWhole = true
    return true
  }

  /** Claims the oldest deliveries of endpoints from their heads on, all of them gated or none. */
  async claim(allowances: Allowance[], gated: boolean, moment: Moment): Promise<Claimed[]> {
    const claimed = await claimReady(this.#db, allowances, gated, moment)
    if (!gated) this.#known.pass(claimed)
    return claimed
  }

  /** Makes ready what is to be tried again; answers how many that were, and when the next is due. */
  async promote(): Promise<{ count: number; nextAt: number | null }> {
    const { promoted, nextAt } = await promoteDue(this.#db, this.#clock.now())
    this.#promoted.push(...promoted)
    return { count: promoted.length, nextAt }
  }
}
