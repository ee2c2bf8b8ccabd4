import { setTimeout as delay } from 'node:timers/promises'

// A statement costs the database and this process about as much for one row as for thirty.
const MAX_WINDOW_MS = 24
// With few items in flight there is little to batch, and each batch is one that a caller waits for.
const WINDOW_MS_PER_ITEM = 1 / 4
// Where batches are fast, a longer window gains nothing: they already take at most a quarter of the time.
const WINDOW_PER_BATCH_MS = 3

/**
 * Spaces batches, so that items that come in quick succession share one. The window between two starts grows with the
 * number of items in flight and with the duration of the last batch.
 */
export class BatchWindow {
  readonly #inFlight: () => number
  #lastStart = Number.NEGATIVE_INFINITY
  #tookMs = 0

  constructor(inFlight: () => number) {
    this.#inFlight = inFlight
  }

  /** Runs a batch: at once after a pause, else when the window since the last start has passed (at most 24 ms). */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const windowMs = Math.min(MAX_WINDOW_MS, this.#inFlight() * WINDOW_MS_PER_ITEM, this.#tookMs * WINDOW_PER_BATCH_MS)
    const wait = this.#lastStart + Math.floor(windowMs) - performance.now()
    if (wait > 0) await delay(wait)
    this.#lastStart = performance.now()
    try {
      return await work()
    } finally {
      this.#tookMs = performance.now() - this.#lastStart
    }
  }
}
