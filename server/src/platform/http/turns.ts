import type { ApiError } from '../errors.ts'

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
