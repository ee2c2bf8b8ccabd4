import type { EventEmitter } from 'node:events'
import { ApiError } from '../errors.ts'

interface Waiting {
  /** Takes the turn if there is room for it now. */
  start: () => boolean
}

/** Requests that wait for room, in their order. Those that still find none may be overtaken by those that do. */
export class Turns {
  readonly #patienceMs: number
  readonly #waiting = new Set<Waiting>()

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Returns what `take` takes, now or as soon as there is room; `take` returns undefined without taking anything where
   * there is none. Throws what `refuse` says if its turn does not come in time.
   */
  async next<Taken>(take: () => Taken | undefined, refuse: () => ApiError): Promise<Taken> {
    const taken = take()
    if (taken !== undefined) return taken
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(refuse())
      }, this.#patienceMs)
      const waiting: Waiting = {
        start: () => {
          const later = take()
          if (later === undefined) return false
          clearTimeout(timer)
          resolve(later)
          return true
        },
      }
      this.#waiting.add(waiting)
    })
  }

  /** Starts those that find room now. */
  startNext(): void {
    for (const waiting of this.#waiting) if (waiting.start()) this.#waiting.delete(waiting)
  }
}

/**
 * Waits for what a request takes, and calls `end` with it when the response closes. UNAVAILABLE where it has closed before
 * the turn came: then nobody needs the answer.
 */
export async function untilClosed<Taken>(
  reader: EventEmitter,
  turn: () => Promise<Taken>,
  end: (taken: Taken) => void,
): Promise<Taken> {
  let hasLeft = false
  let leave = () => {
    hasLeft = true
  }
  // Listens before the turn: a response that closed while it waited does not say so again.
  reader.once('close', () => leave())
  const taken = await turn()
  if (hasLeft) {
    end(taken)
    throw new ApiError('UNAVAILABLE', 'The caller has closed the connection.')
  }
  leave = () => end(taken)
  return taken
}
