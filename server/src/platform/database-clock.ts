import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from './context.ts'
import { type Db, databaseTime } from './db/db.ts'
import type { Log } from './log.ts'
import { seldom } from './seldom.ts'

const ROUND_TRIPS = 5
const EVERY_MS = 10_000
// Quartz clocks drift apart by up to 1 ms in 10 s. A longer interval would widen the known bounds too much.
const DRIFT = 1 / 10_000
// Of `now_ms()`, which is rounded.
const ROUNDING_MS = 0.5

interface Options {
  db: Db
  log: Pick<Log, 'warn'>
  /** The clock of this process that is corrected, in milliseconds. Setting the system's clock must not move it. */
  own?: () => number
  /** Interval between measurements, in milliseconds. */
  everyMs?: number
}

/**
 * The database's clock as this process knows it, so that all processes of one database agree. The error is at most half
 * the shortest round trip, plus 2 ms of rounding and drift, plus what the system slews its clock in 10 s. A correction
 * may move it back, normally by less than 1 ms; if the database's clock is set, by that amount.
 */
export class DatabaseClock implements Clock {
  readonly #db: Db
  readonly #missed: (error: unknown) => void
  readonly #own: () => number
  readonly #everyMs: number
  readonly #stopping = new AbortController()
  #following: Promise<void> | undefined
  #offset = 0
  // Bounds of the offset when it was last measured.
  #low = Number.NEGATIVE_INFINITY
  #high = Number.POSITIVE_INFINITY
  #measuredAt = 0

  constructor({ db, log, own = () => performance.timeOrigin + performance.now(), everyMs = EVERY_MS }: Options) {
    this.#db = db
    this.#missed = seldom((err, failures) => log.warn({ err, failures }, 'the clock could not be measured'))
    this.#own = own
    this.#everyMs = everyMs
  }

  now(): number {
    return Math.floor(this.#own() + this.#offset)
  }

  /**
   * Measures once, then periodically until stopped. Rejects if the database does not respond to the first measurement.
   */
  async start(): Promise<void> {
    await this.measure()
    this.#following = this.#follow()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following
  }

  /** Corrects the offset by a few round trips. If one fails, those that succeeded still count. */
  async measure(): Promise<void> {
    for (let i = 0; i < ROUND_TRIPS; i++) {
      const sent = this.#own()
      const now = await databaseTime(this.#db)
      const answered = this.#own()
      this.#learn(now - ROUNDING_MS - answered, now + ROUNDING_MS - sent, answered)
    }
  }

  /**
   * The database read its clock at some time during the round trip. A slow round trip gives wide bounds, which add
   * nothing to the narrow bounds of a fast one.
   */
  #learn(low: number, high: number, at: number): void {
    const drift = (at - this.#measuredAt) * DRIFT
    const [from, to] = [Math.max(low, this.#low - drift), Math.min(high, this.#high + drift)]
    // Bounds that do not overlap the former ones mean that one of the clocks was set.
    ;[this.#low, this.#high] = from <= to ? [from, to] : [low, high]
    this.#offset = (this.#low + this.#high) / 2
    this.#measuredAt = at
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await delay(this.#everyMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      await this.measure().catch(this.#missed)
    }
  }
}
