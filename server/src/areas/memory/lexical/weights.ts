import { withRoom } from './typed-column.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The texts that stand for what is common at large while an index is young. */
const PRIOR_TEXTS = 300

/** What stems weigh (idf) where so many texts count. */
export class Weights {
  readonly texts: number
  /** By stem; one that came in after the texts were counted weighs what it weighed when it came. */
  idf = new Float32Array(0)
  #stems = 0

  constructor(texts: number) {
    this.texts = texts
  }

  /** Weighs the stems that the vocabulary has gained. */
  cover(vocabulary: Vocabulary, occurrences: Uint32Array): void {
    this.idf = withRoom(this.idf, vocabulary.size)
    for (; this.#stems < vocabulary.size; this.#stems++) {
      this.idf[this.#stems] = this.idfOf(occurrences[this.#stems] ?? 0, vocabulary.priorOf(this.#stems))
    }
  }

  /** `prior`: the probability that a text at large holds the stem. */
  idfOf(occurrences: number, prior: number): number {
    return Math.max(0, Math.log((this.texts + PRIOR_TEXTS + 1) / (occurrences + PRIOR_TEXTS * prior + 1)))
  }
}
