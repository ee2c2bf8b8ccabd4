import type { Log } from '../log.ts'
import { seldom } from '../seldom.ts'

/** Sources of work that fail are called again after a second. */
const QUIET_MS = 3_000

/** Logs that the database does not answer the workers, how often in each minute, and that it answers again. */
export class Outage {
  readonly #log: Pick<Log, 'error' | 'info'>
  readonly #now: () => number
  #tell: ReturnType<typeof seldom> | undefined
  #since = 0
  #failures = 0
  #failedAt = 0

  constructor(log: Pick<Log, 'error' | 'info'>, now = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  failed(error: unknown, about: object = {}): void {
    if (!this.#tell) {
      this.#since = this.#now()
      this.#failures = 0
      this.#tell = seldom((err, failures, of) => this.#log.error({ err, ...of, failures }, AWAY), {
        now: this.#now,
      })
    }
    this.#failures++
    this.#failedAt = this.#now()
    this.#tell(error, about)
  }

  /** To be called at each answer. One that comes three seconds or more after the last failure ends the outage. */
  answered(): void {
    if (!this.#tell || this.#now() - this.#failedAt < QUIET_MS) return
    const seconds = Math.round((this.#failedAt - this.#since) / 1000)
    this.#log.info({ failures: this.#failures, seconds }, BACK)
    this.#tell = undefined
  }
}

const AWAY = 'the database does not answer the workers'
const BACK = 'the database answers the workers again'
