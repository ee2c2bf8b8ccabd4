import type { Head } from '../head/head.ts'
import { inTurns } from '../learning/in-turns.ts'
import { type KnownModel, KnownPast } from '../learning/known-past.ts'
import { type Learning, learnHead, MOST_JUDGMENTS } from '../learning/learn-head.ts'
import type { PastJudgment } from '../learning/read-history.ts'

/** The most judgments that are known at a time. Their index and vectors take about 0.5 GB. */
export const WINDOW = 100_000
/** What was learned is learned again when the judgments have grown by this. */
const GROWTH = 1.1

interface Options {
  dense: KnownModel | undefined
  authors: boolean
}

/** What was known and learned at a moment of the past. Judgments come in the order of time. */
export class LearningPast {
  readonly past: KnownPast
  readonly #options: Options
  /** Those of the latest time, which do not know each other: an import may have days only. */
  #together: PastJudgment[] = []
  /** What is learned from; the first of them are too old. */
  #latest: PastJudgment[] = []
  #known = 0
  #learning: Learning | undefined
  #againAt = 0

  constructor(options: Options) {
    this.past = new KnownPast(WINDOW, options.dense)
    this.#options = options
  }

  get head(): Head | undefined {
    return this.#learning?.head
  }

  get learning(): Learning | undefined {
    return this.#learning
  }

  /** Takes a judgment, which is known from the next time on. */
  async *add(judgment: PastJudgment): AsyncGenerator<void> {
    if (judgment.createdAt !== this.#together[0]?.createdAt || this.#together.length >= WINDOW) yield* this.know()
    this.#together.push(judgment)
  }

  /** Makes all known. It rests in between. */
  async *know(): AsyncGenerator<void> {
    yield* inTurns(this.#learnTogether())
    this.#latest.push(...this.#together)
    if (this.#latest.length > 2 * MOST_JUDGMENTS) this.#latest = this.#latest.slice(-MOST_JUDGMENTS)
    this.#known += this.#together.length
    this.#together = []
  }

  *#learnTogether(): Generator<void> {
    for (const judgment of this.#together) {
      this.past.learn(judgment)
      yield
    }
  }

  /** Prepares questions. Learns again if the judgments have grown by a tenth, or if it `must`. */
  async *settle(must = false): AsyncGenerator<void> {
    await this.past.settle()
    if (this.#known < this.#againAt && !must) return
    this.#learning = yield* learnHead(this.#latest.slice(-MOST_JUDGMENTS), this.#options)
    this.#againAt = Math.ceil(this.#known * GROWTH)
  }
}
