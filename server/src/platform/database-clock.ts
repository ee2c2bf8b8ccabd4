import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from './context.ts'
import { type Db, sql } from './db/db.ts'
import type { Log } from './log.ts'

const ROUND_TRIPS = 5
const EVERY_MS = 10_000
// Quartz clocks drift apart by up to 1 ms in 10 s; in more time much of what is known would be lost.
const DRIFT = 1 / 10_000
// Of `now_ms()`, which is rounded.
const ROUNDING_MS = 0.5

interface Options {
  db: Db
  log: Log
  /** The clock that is corrected, in milliseconds: of this process, and not moved when the system's clock is set. */
  own?: () => number
  /** After how many milliseconds it is measured again. */
  everyMs?: number
}

/**
 * The database's clock as this process knows it, so that all processes of one database agree: within half the shortest
 * round trip, some 2 ms of rounding and drift, and, while the system slews a clock, what that moves it in 10 s. A
 * correction may set it back, in general by less than a millisecond; when the database's clock is set, by as much.
 */
export class DatabaseClock implements Clock {
  readonly #db: Db
  readonly #log: Log
  readonly #own: () => number
  readonly #everyMs: number
  readonly #stopping = new AbortController()
  #following: Promise<void> | undefined
  #offset = 0
  // Between which the offset lay when it was last measured.
  #low = Number.NEGATIVE_INFINITY
  #high = Number.POSITIVE_INFINITY
  #measuredAt = 0

  constructor({ db, log, own = () => performance.timeOrigin + performance.now(), everyMs = EVERY_MS }: Options) {
    this.#db = db
    this.#log = log
    this.#own = own
    this.#everyMs = everyMs
  }

  now(): number {
    return Math.floor(this.#own() + this.#offset)
  }

  /** Measures, and goes on to do so until stopped; rejects when the database does not answer the first time. */
  async start(): Promise<void> {
    await this.measure()
    this.#following = this.#follow()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following
  }

  /** Corrects the offset by a few round trips; those that were answered count, also when one is not. */
  async measure(): Promise<void> {
    for (let i = 0; i < ROUND_TRIPS; i++) {
      const sent = this.#own()
      const [row] = await this.#db.query<{ now: number }>(sql`select now_ms() as now`)
      const answered = this.#own()
      if (row) this.#learn(row.now - ROUNDING_MS - answered, row.now + ROUNDING_MS - sent, answered)
    }
  }

  /**
   * The database looked at its clock at some time of the round trip: a slow one leaves wide bounds, which tell nothing
   * beside the narrower ones of a quick one.
   */
  #learn(low: number, high: number, at: number): void {
    const drift = (at - this.#measuredAt) * DRIFT
    const [from, to] = [Math.max(low, this.#low - drift), Math.min(high, this.#high + drift)]
    // Bounds that exclude the former ones tell that one of the clocks was set.
    ;[this.#low, this.#high] = from <= to ? [from, to] : [low, high]
    this.#offset = (this.#low + this.#high) / 2
    this.#measuredAt = at
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await delay(this.#everyMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      await this.measure().catch((err: unknown) => this.#log.warn({ err }, 'the clock could not be measured'))
    }
  }
}
