import { ApiError } from '../../errors.ts'
import { Turns } from './turns.ts'

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

/** Bounds the calls of each API key, or their statements, that a process executes at a time. Others wait for their turn. */
export class KeyTurns {
  readonly #limits: Limits
  readonly #turns: Turns
  readonly #running = new Map<string, number>()

  constructor(limits: Limits) {
    this.#limits = limits
    this.#turns = new Turns(limits.patienceMs)
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#turns.waiting
  }

  /**
   * Executes a call in its turn. RESOURCE_EXHAUSTED where that does not come in time; UNAVAILABLE where the caller has
   * left before.
   */
  async inTurn<Answer>(key: string, reader: Reader, execute: () => Promise<Answer>): Promise<Answer> {
    const end = await this.#turns.next(() => (reader.destroyed ? NOTHING : this.#begin(key)), refusal)
    if (reader.destroyed) {
      end()
      throw new ApiError('UNAVAILABLE', 'The caller has closed the connection.')
    }
    // It counts until it has ended, also where its caller leaves: what it does goes on.
    return execute().finally(end)
  }

  /** Returns the function that ends what begins; undefined where the key has no room. */
  #begin(key: string): (() => void) | undefined {
    const running = this.#running.get(key) ?? 0
    if (running >= this.#limits.perKey) return undefined
    this.#running.set(key, running + 1)
    return () => {
      const left = (this.#running.get(key) ?? 1) - 1
      if (left > 0) this.#running.set(key, left)
      else this.#running.delete(key)
      this.#turns.startNext()
    }
  }
}

const NOTHING = () => {}

const refusal = () =>
  new ApiError('RESOURCE_EXHAUSTED', 'Too many calls of this API key wait for each other. Try again later.')
