import { TurnQueue } from './turn-queue.ts'

/** One order runs and one is ready, so that the session never idles between two of different callers. */
const SENT_AHEAD = 2

/** Ends a turn with the answer to its last order, which the next turn need not wait for. Returns the answer. */
type PassOn = <T>(answer: Promise<T>) => Promise<T>

/** Whose turn it is in a session that runs orders one after another. See `TurnQueue` for who is next. */
export class SessionTurns {
  readonly #waiting = new TurnQueue()
  #isTaken = false
  /** How many turns have ended whose last order is not answered yet. */
  #unanswered = 0
  /** Whether the next turn begins with the next answer. */
  #isHeld = false
  #answeredAt = 0

  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether somebody has the session, or an order is not answered yet. */
  get isBusy(): boolean {
    return this.#isTaken || this.#unanswered > 0
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
    let since = performance.now()
    const charge = () => {
      const now = performance.now()
      // Until then the session ran what was sent before.
      if (owner !== null) this.#waiting.charge(owner, now - Math.max(since, this.#answeredAt))
      since = now
    }
    return (answer) => {
      charge()
      this.#unanswered += 1
      if (this.#unanswered < SENT_AHEAD) this.#next()
      else this.#isHeld = true
      return answer.finally(() => {
        charge()
        this.#answeredAt = since
        this.#unanswered -= 1
        if (!this.#isHeld) return
        this.#isHeld = false
        this.#next()
      })
    }
  }

  #next(): void {
    const begin = this.#waiting.shift()
    if (begin) begin()
    else this.#isTaken = false
  }
}
