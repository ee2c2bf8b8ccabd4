import type { Clock } from '../../platform/context.ts'
import { sleepUntil } from '../../platform/work/sleep-until.ts'

const LANES = 8
const ASIDE = 16
const STALLED_MS = 3_000

interface Lane {
  apiKey: string
  startedAt: number
  isAside: boolean
}

interface Waiting {
  apiKey: string
  start(lane: Lane): void
}

/**
 * Runs eight tasks at a time. The API keys take turns. A task that has run for 3 s stands aside, with up to 15 more, and
 * the next takes its lane. Tasks of an API key that has one aside start there too. So API keys whose tasks hang leave the
 * lanes to the others.
 */
export class Lanes {
  readonly #clock: Clock
  readonly #running = new Set<Lane>()
  #waiting: Waiting[] = []
  #watching: Promise<void> | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async run<T>(apiKey: string, task: () => Promise<T>): Promise<T> {
    const lane = await new Promise<Lane>((start) => {
      this.#waiting.push({ apiKey, start })
      this.#fill()
    })
    try {
      return await task()
    } finally {
      this.#running.delete(lane)
      this.#fill()
    }
  }

  #fill(): void {
    const now = this.#clock.now()
    for (const lane of this.#running) {
      if (now - lane.startedAt >= STALLED_MS && this.#hasPlace(true)) lane.isAside = true
    }
    for (let next = this.#next(); next; next = this.#next()) {
      const { apiKey, start } = next
      const lane = { apiKey, startedAt: now, isAside: this.#hangs(apiKey) }
      this.#waiting = this.#waiting.filter((each) => each !== next)
      this.#running.add(lane)
      start(lane)
    }
    // Where none more can stand aside, the end of one makes room.
    if (this.#waiting.length > 0 && this.#hasPlace(true)) this.#watching ??= this.#watch()
  }

  /** Of those that may start the one whose API key has the fewest running. */
  #next(): Waiting | undefined {
    const runningOf = ({ apiKey }: Waiting) => this.#count((lane) => lane.apiKey === apiKey)
    const [first, ...others] = this.#waiting.filter(({ apiKey }) => this.#hasPlace(this.#hangs(apiKey)))
    return first && others.reduce((least, each) => (runningOf(each) < runningOf(least) ? each : least), first)
  }

  #hangs(apiKey: string): boolean {
    return this.#count((lane) => lane.isAside && lane.apiKey === apiKey) > 0
  }

  #hasPlace(isAside: boolean): boolean {
    return this.#count((lane) => lane.isAside === isAside) < (isAside ? ASIDE : LANES)
  }

  #count(condition: (lane: Lane) => boolean): number {
    return [...this.#running].filter(condition).length
  }

  /** Looks again when the first of the tasks in the lanes has run for 3 s. */
  async #watch(): Promise<void> {
    const starts = [...this.#running].filter(({ isAside }) => !isAside).map(({ startedAt }) => startedAt)
    await sleepUntil(Math.min(...starts) + STALLED_MS, this.#clock)
    this.#watching = undefined
    this.#fill()
  }
}
