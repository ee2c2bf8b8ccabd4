import type { Vocabulary } from '../words/vocabulary.ts'
import { withRoom } from '../words/with-room.ts'

/** The weight of the prior frequencies, as a number of texts. It dominates while an index is small. */
const PRIOR_TEXTS = 300

/** The idf of stems for a number of texts. */
export class Weights {
  readonly texts: number
  /** By stem. A stem that is new since the texts were counted keeps its weight of that moment. */
  idf = new Float32Array(0)
  #stems = 0

  constructor(texts: number) {
    this.texts = texts
  }

  parts(): WeightParts {
    return { texts: this.texts, idf: this.idf, stems: this.#stems }
  }

  static from({ texts, idf, stems }: WeightParts): Weights {
    const made = new Weights(texts)
    made.idf = idf
    made.#stems = stems
    return made
  }

  /** Computes the idf of new stems of the vocabulary. */
  cover(vocabulary: Vocabulary, occurrences: Uint32Array): void {
    this.idf = withRoom(this.idf, vocabulary.size)
    for (; this.#stems < vocabulary.size; this.#stems++) {
      this.idf[this.#stems] = this.idfOf(occurrences[this.#stems] ?? 0, vocabulary.priorOf(this.#stems))
    }
  }

  /** `prior`: the probability that a general text holds the stem. */
  idfOf(occurrences: number, prior: number): number {
    return Math.max(0, Math.log((this.texts + PRIOR_TEXTS + 1) / (occurrences + PRIOR_TEXTS * prior + 1)))
  }
}

export interface WeightParts {
  texts: number
  idf: Float32Array<ArrayBuffer>
  stems: number
}
