import type { Clock } from '../../../platform/context.ts'
import type { SendQueue } from './send-queue.ts'

// While sends are in flight, due retries are promoted at most this often.
const PROMOTE_MS = 250

/** Promotes retries when they are due, and schedules a turn for the next one, as far as this process knows. */
export class RetryTimer {
  readonly #queue: Pick<SendQueue, 'promote'>
  readonly #clock: Clock
  readonly #schedule: (inMs: number) => void
  #promotedAt = Number.NEGATIVE_INFINITY
  #dueAt = Number.NEGATIVE_INFINITY

  /** `schedule` asks for another turn after a delay. */
  constructor(queue: Pick<SendQueue, 'promote'>, clock: Clock, schedule: (inMs: number) => void) {
    this.#queue = queue
    this.#clock = clock
    this.#schedule = schedule
  }

  /** Whether a retry may be due. */
  get isDue(): boolean {
    return this.#dueAt <= this.#clock.now()
  }

  /** Notes that a retry is due at a time (epoch ms). */
  expect(dueAt: number): void {
    this.#dueAt = Math.min(this.#dueAt, dueAt)
    this.#schedule(dueAt - this.#clock.now())
  }

  /** Makes due retries ready and returns how many. While the process is busy, most calls are skipped. */
  async promote(isBusy: boolean): Promise<number> {
    const elapsed = performance.now() - this.#promotedAt
    if (isBusy && elapsed < PROMOTE_MS) {
      this.#schedule(PROMOTE_MS - elapsed)
      return 0
    }
    this.#promotedAt = performance.now()
    this.#dueAt = Number.POSITIVE_INFINITY
    const { count, nextAt } = await this.#queue.promote()
    if (nextAt !== null) this.expect(nextAt)
    // More may be due than one call promotes.
    if (count > 0) this.#dueAt = Number.NEGATIVE_INFINITY
    return count
  }
}
