import { setTimeout as delay } from 'node:timers/promises'

// A statement costs the database about as much for one row as for ten.
const GATHER_MS = 10

/** Keeps turns apart, so that what comes in quick succession shares one; a turn after a pause begins at once. */
export class Pace {
  #next = 0

  async turn(): Promise<void> {
    const wait = this.#next - performance.now()
    if (wait > 0) await delay(wait)
    this.#next = performance.now() + GATHER_MS
  }
}
