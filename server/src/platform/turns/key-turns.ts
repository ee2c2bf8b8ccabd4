import { ApiError } from '../errors.ts'
import { callerLeft } from './turns.ts'

interface Limits {
  /** Calls of one API key at a time. */
  perKey: number
  /** How long a call waits for its turn. */
  patienceMs: number
}

/** The part of a response that a call looks at. */
interface Reader {
  readonly destroyed: boolean
}

/** The calls of a key: how many are executed, and what begins those that wait, in their order. */
interface Share {
  running: number
  waiting: Set<() => void>
}

/**
 * Bounds the calls of each API key, or their statements, that a process executes at a time. Others wait for their turn.
 */
export class KeyTurns {
  readonly #limits: Limits
  readonly #shares = new Map<string, Share>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * Executes a call in its turn. RESOURCE_EXHAUSTED where that does not come in time; UNAVAILABLE where the caller has
   * left before.
   */
  inTurn<Answer>(key: string, reader: Reader, execute: () => Promise<Answer>): Promise<Answer> {
    const share = this.#shares.get(key) ?? { running: 0, waiting: new Set() }
    this.#shares.set(key, share)
    if (share.running < this.#limits.perKey) return this.#run(key, share, execute)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        share.waiting.delete(begin)
        reject(refusal())
      }, this.#limits.patienceMs)
      const begin = () => {
        clearTimeout(timer)
        if (reader.destroyed) reject(callerLeft())
        else resolve(this.#run(key, share, execute))
      }
      share.waiting.add(begin)
    })
  }

  // It counts until it has ended, also where its caller leaves: what it does goes on.
  #run<Answer>(key: string, share: Share, execute: () => Promise<Answer>): Promise<Answer> {
    share.running += 1
    return execute().finally(() => {
      share.running -= 1
      this.#beginNext(share)
      if (share.running === 0) this.#shares.delete(key)
    })
  }

  /** Begins those that wait, until one takes the turn: those whose callers have left do not. */
  #beginNext(share: Share): void {
    for (const begin of share.waiting) {
      if (share.running >= this.#limits.perKey) return
      share.waiting.delete(begin)
      begin()
    }
  }
}

const refusal = () =>
  new ApiError('RESOURCE_EXHAUSTED', 'Too many calls with these credentials wait for each other. Try again later.')
