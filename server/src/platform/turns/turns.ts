import type { EventEmitter } from 'node:events'
import { ApiError } from '../errors.ts'

interface Waiting {
  /** Takes the turn if there is room for it now. */
  start: () => boolean
}

/** How often a request that waits tries to make room. */
const TRY_EVERY_MS = 250

/** What a slow caller keeps from others. */
export interface Kept {
  /** What its API key keeps in all. */
  usage: { bytes: number }
  since: number
  giveUp: () => void
}

/**
 * Gives up the oldest of what is kept by the API key that keeps the most, if it is older than `slowMs` and the key
 * keeps more than `bytes`. Returns whether there was any.
 */
export function giveUpSlowest(kept: Iterable<Kept>, { bytes, slowMs }: { bytes: number; slowMs: number }): boolean {
  const latest = performance.now() - slowMs
  let slowest: Kept | undefined
  for (const one of kept) {
    if (one.since <= latest && one.usage.bytes > (slowest?.usage.bytes ?? bytes)) slowest = one
  }
  slowest?.giveUp()
  return slowest !== undefined
}

/** Requests that wait for room, in their order. Those that still find none may be overtaken by those that do. */
export class Turns {
  readonly #patienceMs: number
  readonly #waiting = new Set<Waiting>()
  /** Set while it makes room, which is first for itself. */
  #first: Waiting | undefined

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Returns what `take` takes, now or as soon as there is room; `take` returns undefined without taking anything where
   * there is none. Throws what `refuse` says if its turn does not come in time. While it waits it tries to make room;
   * `makeRoom` returns whether it did.
   */
  async next<Taken>(
    take: () => Taken | undefined,
    refuse: () => ApiError,
    makeRoom: () => boolean = () => false,
  ): Promise<Taken> {
    const taken = take()
    if (taken !== undefined) return taken
    return new Promise((resolve, reject) => {
      const tries = setInterval(() => {
        this.#first = waiting
        const isMade = makeRoom()
        this.#first = undefined
        if (isMade) this.startNext()
      }, TRY_EVERY_MS)
      const timer = setTimeout(() => {
        clearInterval(tries)
        this.#waiting.delete(waiting)
        reject(refuse())
      }, this.#patienceMs)
      const waiting: Waiting = {
        start: () => {
          const later = take()
          if (later === undefined) return false
          clearTimeout(timer)
          clearInterval(tries)
          resolve(later)
          return true
        },
      }
      this.#waiting.add(waiting)
    })
  }

  /** Starts those that find room now. */
  startNext(): void {
    for (const waiting of this.#first ? [this.#first] : this.#waiting)
      if (waiting.start()) this.#waiting.delete(waiting)
  }
}

/** The part of a response that tells when it has ended. */
export type Closing = EventEmitter & { readonly destroyed: boolean }

/**
 * Waits for what a request takes, and calls `end` with it when the response closes. UNAVAILABLE where it has closed
 * before the turn came: then nobody needs the answer.
 */
export async function untilClosed<Taken>(
  reader: Closing,
  turn: () => Promise<Taken>,
  end: (taken: Taken) => void,
): Promise<Taken> {
  // A response tells only once that it has closed.
  if (reader.destroyed) throw callerLeft()
  let hasLeft = false
  let leave = () => {
    hasLeft = true
  }
  // Listens before the turn: it may close during the wait.
  reader.once('close', () => leave())
  const taken = await turn()
  if (hasLeft) {
    end(taken)
    throw callerLeft()
  }
  leave = () => end(taken)
  return taken
}

/** UNAVAILABLE: the caller has left before the turn of its request came, and nobody reads this. */
export const callerLeft = () => new ApiError('UNAVAILABLE', 'The caller has closed the connection.')
