import type { Clock } from '../../../platform/context.ts'
import type { SendQueue } from './send-queue.ts'

// While sends are under way, what has come due is looked for so often.
const PROMOTE_MS = 250

/** When deliveries are to be tried again, as far as one process knows. */
export class RetryTimer {
  readonly #queue: Pick<SendQueue, 'promote'>
  readonly #clock: Clock
  readonly #again: (inMs: number) => void
  #promotedAt = Number.NEGATIVE_INFINITY
  #dueAt = Number.NEGATIVE_INFINITY

  /** `again` is told in how many milliseconds to look for them. */
  constructor(queue: Pick<SendQueue, 'promote'>, clock: Clock, again: (inMs: number) => void) {
    this.#queue = queue
    this.#clock = clock
    this.#again = again
  }

  /** Whether one may be due. */
  get areDue(): boolean {
    return this.#dueAt <= this.#clock.now()
  }

  /** One is due then. */
  expect(dueAt: number): void {
    this.#dueAt = Math.min(this.#dueAt, dueAt)
    this.#again(dueAt - this.#clock.now())
  }

  /** Makes ready what is due, while the process is busy not at every call; answers how many. */
  async promote(isBusy: boolean): Promise<number> {
    const elapsed = performance.now() - this.#promotedAt
    if (isBusy && elapsed < PROMOTE_MS) {
      this.#again(PROMOTE_MS - elapsed)
      return 0
    }
    this.#promotedAt = performance.now()
    this.#dueAt = Number.POSITIVE_INFINITY
    const { count, nextAt } = await this.#queue.promote()
    if (nextAt !== null) this.expect(nextAt)
    // More may have been due than was promoted.
    if (count > 0) this.#dueAt = Number.NEGATIVE_INFINITY
    return count
  }
}
