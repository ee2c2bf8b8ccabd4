import { setTimeout as delay } from 'node:timers/promises'

// A statement costs the database and this process about as much for one row as for thirty.
const GATHER_MS = 24
// With few items under way there is little to gather, and each turn is one that somebody waits for.
const GATHER_MS_PER_ITEM = 1 / 4

/** Keeps turns apart, the further the more is under way, so that what comes in quick succession shares one. */
export class Pace {
  readonly #underWay: () => number
  #last = Number.NEGATIVE_INFINITY

  constructor(underWay: () => number) {
    this.#underWay = underWay
  }

  /** Answers when the next turn may begin: at once after a pause, and never later than 24 ms after the last began. */
  async turn(): Promise<void> {
    const gather = Math.min(GATHER_MS, Math.floor(this.#underWay() * GATHER_MS_PER_ITEM))
    const wait = this.#last + gather - performance.now()
    if (wait > 0) await delay(wait)
    this.#last = performance.now()
  }
}
