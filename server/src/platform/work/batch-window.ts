import { setTimeout as delay } from 'node:timers/promises'

// A statement costs the database and this process about as much for one row as for thirty.
const GATHER_MS = 24
// With few items under way there is little to gather, and each turn is one that somebody waits for.
const GATHER_MS_PER_ITEM = 1 / 4
// On a quick machine a turn is worth no longer wait: with a third of the time in turns the rest goes on meanwhile.
const GATHER_PER_TURN = 3

/** Keeps turns apart, the further the more is under way and the longer they take, so that what comes in quick succession shares one. */
export class BatchWindow {
  readonly #underWay: () => number
  #last = Number.NEGATIVE_INFINITY
  #tookMs = 0

  constructor(underWay: () => number) {
    this.#underWay = underWay
  }

  /** Begins it at once after a pause, and never later than 24 ms after the last turn began. */
  async turn<Result>(work: () => Promise<Result>): Promise<Result> {
    const gather = Math.min(GATHER_MS, this.#underWay() * GATHER_MS_PER_ITEM, this.#tookMs * GATHER_PER_TURN)
    const wait = this.#last + Math.floor(gather) - performance.now()
    if (wait > 0) await delay(wait)
    this.#last = performance.now()
    try {
      return await work()
    } finally {
      this.#tookMs = performance.now() - this.#last
    }
  }
}
