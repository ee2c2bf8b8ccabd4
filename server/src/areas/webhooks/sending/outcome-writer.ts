import type { Services } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'
import { BatchWindow } from '../../../platform/work/batch-window.ts'
import { sleepUntil } from '../../../platform/work/sleep-until.ts'
import type { Outcome } from './outcome.ts'
import { recordOutcomes } from './record-outcomes.ts'

// A connection may be lost for seconds. After much longer, the leases of the recorded sends would end.
const RETRIES_MS = [100, 500, 2_000, 5_000]

/** Writes outcomes in batches: those that arrive during a write, or shortly after it, share the next one. */
export class OutcomeWriter {
  readonly #db: Db
  readonly #clock: Services['clock']
  readonly #log: Log
  readonly #window: BatchWindow
  #batch: Outcome[] = []
  /** The write that will take the current batch. */
  #nextWrite: Promise<void> | undefined
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(db: Db, { clock, log }: Services, inFlight: () => number) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#window = new BatchWindow(inFlight)
  }

  /** Resolves when the outcome is durable. One that cannot be written is given up: its delivery is sent again later. */
  record(outcome: Outcome): Promise<void> {
    this.#batch.push(outcome)
    if (!this.#nextWrite) {
      this.#nextWrite = this.#lastWrite.then(() => this.#window.run(() => this.#write()))
      this.#lastWrite = this.#nextWrite
    }
    return this.#nextWrite
  }

  async #write(): Promise<void> {
    const outcomes = this.#batch
    this.#batch = []
    this.#nextWrite = undefined
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
