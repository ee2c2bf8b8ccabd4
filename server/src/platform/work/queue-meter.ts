import type { Clock } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Backlog } from './backlog.ts'
import type { Source } from './worker.ts'

const KEPT_MS = 10_000

interface Measured {
  at: number
  backlogs: Promise<Map<Source, Backlog[]>>
}

/** Measures the queues of the sources, at most every 10 s however often it is asked. */
export class QueueMeter {
  readonly #db: Db
  readonly #clock: Clock
  readonly #sources: Source[]
  #measured: Measured | undefined

  constructor({ db, clock, sources }: { db: Db; clock: Clock; sources: Source[] }) {
    this.#db = db
    this.#clock = clock
    this.#sources = sources
  }

  /** The backlogs by source, at most 10 s old. Fails while the database cannot be read. */
  read(): Promise<Map<Source, Backlog[]>> {
    const at = performance.now()
    if (this.#measured && at - this.#measured.at < KEPT_MS) return this.#measured.backlogs
    const measured: Measured = { at, backlogs: this.#measure() }
    this.#measured = measured
    measured.backlogs.catch(() => {
      if (this.#measured === measured) this.#measured = undefined
    })
    return measured.backlogs
  }

  async #measure(): Promise<Map<Source, Backlog[]>> {
    const now = this.#clock.now()
    const entries = this.#sources.map(
      async (source): Promise<[Source, Backlog[]]> => [source, (await source.backlog?.(this.#db, now)) ?? []],
    )
    return new Map(await Promise.all(entries))
  }
}
