import { type Database, sql } from '../db/db.ts'
import type { Log } from '../log.ts'
import { seldom } from '../seldom.ts'

/** The channel on which committed work is announced to the workers of all processes. */
export const WORK_CHANNEL = 'precedent_work'
const NOTIFY_EVERY_MS = 5

/** A wake-up that happens once: when it is signalled, or at the earliest time that it was set to. */
export class Wakeup {
  readonly signalled: Promise<void>
  readonly #resolve: () => void
  #timer: NodeJS.Timeout | undefined
  #signalsAt = Number.POSITIVE_INFINITY

  constructor() {
    let resolve = () => {}
    this.signalled = new Promise((signalled) => {
      resolve = signalled
    })
    this.#resolve = resolve
  }

  signal(): void {
    clearTimeout(this.#timer)
    this.#signalsAt = Number.NEGATIVE_INFINITY
    this.#resolve()
  }

  /**
   * Signals after `inMs` milliseconds, unless that happens earlier. All callers share one timer, set to the earliest.
   */
  signalIn(inMs: number): void {
    const at = performance.now() + inMs
    if (at >= this.#signalsAt) return
    clearTimeout(this.#timer)
    this.#signalsAt = at
    if (inMs <= 0) this.signal()
    else this.#timer = setTimeout(() => this.signal(), inMs)
  }
}

/**
 * Returns a function to call after a commit that may have left work. It sends NOTIFY at once, then at most every 5 ms.
 * It runs after the commit because NOTIFY inside the transaction would serialise all commits on one lock. A lost
 * notification costs at most one poll interval.
 */
export function createWorkerWakeup(database: Pick<Database, 'query'>, log: Pick<Log, 'warn'>): () => void {
  let pending = false
  let next = 0
  const tell = seldom((err, failures) => log.warn({ err, failures }, 'could not wake the workers; they poll'))

  function notify(): void {
    pending = false
    next = performance.now() + NOTIFY_EVERY_MS
    database.query(sql`select pg_notify(${WORK_CHANNEL}, '')`).catch((error: unknown) => tell(error))
  }

  return () => {
    if (pending) return
    pending = true
    const wait = next - performance.now()
    if (wait > 0) setTimeout(notify, wait).unref()
    else notify()
  }
}
