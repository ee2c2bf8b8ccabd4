import { TurnQueue } from './turn-queue.ts'

/**
 * How many orders are sent before they run. Those behind short ones hardly wait, and each message costs. Where orders
 * are long, one runs and one is ready, so that the session never idles.
 */
const SENT_AHEAD = { short: 16, long: 2 }
const SHORT_MS = 20

/**
 * Sends the last order of a turn and ends the turn: the next one need not wait for the answer. `send` calls `ran` when
 * the order has run, if that is before its answer. Returns the answer.
 */
type PassOn = <T>(send: (ran: () => void) => Promise<T>) => Promise<T>

/** Whose turn it is in a session that runs orders one after another. See `TurnQueue` for who is next. */
export class SessionTurns {
  readonly #now: () => number
  readonly #waiting: TurnQueue
  #isTaken = false
  /** How many turns have ended whose last order has not run yet. */
  #sentAhead = 0
  /** Whether the next turn begins only when one of these has run. */
  #isHeld = false
  #ranAt = 0
  /** How long an order takes: the longest of the last few. */
  #usualMs = 0

  constructor(now = () => performance.now()) {
    this.#now = now
    this.#waiting = new TurnQueue(now)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether somebody has the session, or an order has not run yet. */
  get isBusy(): boolean {
    return this.#isTaken || this.#sentAhead > 0
  }

  /** Resolves when it is the owner's turn. What belongs to no owner (null) hardly waits. */
  take(owner: string | null): Promise<PassOn> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return Promise.resolve(this.#begin(owner))
    }
    return new Promise((resolve) => this.#waiting.push(owner, () => resolve(this.#begin(owner))))
  }

  #begin(owner: string | null): PassOn {
    let since = this.#now()
    const charge = () => {
      const now = this.#now()
      // Until then the session ran what was sent before.
      const ms = now - Math.max(since, this.#ranAt)
      if (owner !== null) this.#waiting.charge(owner, ms)
      since = now
      return ms
    }
    return (send) => {
      charge()
      let hasRun = false
      const ran = () => {
        if (hasRun) return
        hasRun = true
        this.#usualMs = Math.max(charge(), this.#usualMs / 2)
        this.#ranAt = since
        this.#sentAhead -= 1
        if (!this.#isHeld) return
        this.#isHeld = false
        this.#next()
      }
      this.#sentAhead += 1
      const answer = send(ran).finally(ran)
      if (this.#sentAhead < (this.#usualMs < SHORT_MS ? SENT_AHEAD.short : SENT_AHEAD.long)) this.#next()
      else this.#isHeld = true
      return answer
    }
  }

  #next(): void {
    const begin = this.#waiting.shift()
    if (begin) begin()
    else this.#isTaken = false
  }
}
