import type { Services } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'
import { BatchWindow } from '../../../platform/work/batch-window.ts'
import { sleepUntil } from '../../../platform/work/sleep-until.ts'
import type { Outcome } from './outcome.ts'
import { recordOutcomes } from './record-outcomes.ts'

// A connection may be lost for seconds. Much longer, and the leases of what was sent would end.
const RETRIES_MS = [100, 500, 2_000, 5_000]

/** Writes outcomes as they come: those that arrive while one batch is written, or soon after it, are the next batch. */
export class OutcomeWriter {
  readonly #db: Db
  readonly #clock: Services['clock']
  readonly #log: Log
  readonly #pace: BatchWindow
  #batch: Outcome[] = []
  #turn: Promise<void> | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(db: Db, { clock, log }: Services, underWay: () => number) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#pace = new BatchWindow(underWay)
  }

  /** Answers when the outcome is durable; one that cannot be written is sent again when its lease ends. */
  record(outcome: Outcome): Promise<void> {
    this.#batch.push(outcome)
    if (!this.#turn) {
      this.#turn = this.#last.then(() => this.#pace.run(() => this.#write()))
      this.#last = this.#turn
    }
    return this.#turn
  }

  async #write(): Promise<void> {
    const outcomes = this.#batch
    this.#batch = []
    this.#turn = undefined
    for (const wait of [...RETRIES_MS, null]) {
      try {
        return await recordOutcomes(this.#db, outcomes, this.#clock.now())
      } catch (error) {
        const about = { err: error, count: outcomes.length, retryInMs: wait }
        this.#log.error(about, 'attempts of webhook deliveries could not be recorded')
        if (wait !== null) await sleepUntil(this.#clock.now() + wait, this.#clock)
      }
    }
  }
}
