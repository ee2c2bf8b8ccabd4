import { priorProbabilityOf } from './prior-frequencies.ts'
import { type PackedStrings, StemBytes, type StemParts } from './stem-bytes.ts'
import { StemTrigrams } from './stem-trigrams.ts'
import { withRoom } from './typed-column.ts'

/** The stems of an index as numbers, each with its prior probability and its character 3-grams. */
export class Vocabulary {
  readonly #stems: StemBytes
  readonly trigrams: StemTrigrams
  #priors = new Float32Array(0)
  /** By stem: its frequency in a text; all 0 between calls. */
  #frequencies = new Uint32Array(0)

  constructor(stems = new StemBytes()) {
    this.#stems = stems
    this.trigrams = new StemTrigrams(stems)
  }

  /** What it holds but for 3-grams, to be passed to another thread; it must not be used any more. */
  parts(): VocabularyParts {
    return { stems: this.#stems.parts(), priors: this.#priors }
  }

  static from({ stems, priors }: VocabularyParts): Vocabulary {
    const made = new Vocabulary(StemBytes.from(stems))
    made.#priors = priors
    made.#known = made.size
    return made
  }

  get size(): number {
    return this.#stems.size
  }

  get bytes(): number {
    return this.#stems.bytes + this.#priors.length * 8 + this.trigrams.bytes
  }

  /** All stems as bytes, in the order of their numbers. */
  packed(): PackedStrings {
    return this.#stems.packed()
  }

  find(stem: string): number | undefined {
    return this.#stems.find(stem)
  }

  /** The number of a stem; a new stem gets the next one. */
  idOf(stem: string): number {
    const id = this.#stems.idOf(stem)
    if (this.size > this.#known) this.#learn()
    return id
  }

  /** Writes the numbers of the packed stems from `first` to before `end` to the same places of `numbers`. */
  idsOf(stems: PackedStrings, numbers: Uint32Array, first: number, end: number): void {
    this.#stems.idsOf(stems, numbers, first, end)
    this.#learn()
  }

  /** The stems of a text as entries (stem × 256 + frequency, at most 255), each once, in order of occurrence. */
  entriesOf(stems: string[]): Uint32Array {
    const ids = stems.map((stem) => this.idOf(stem))
    this.#frequencies = withRoom(this.#frequencies, this.size)
    const frequencies = this.#frequencies
    for (const id of ids) frequencies[id] = (frequencies[id] as number) + 1
    const entries = new Uint32Array(ids.length)
    let count = 0
    for (const id of ids) {
      const frequency = frequencies[id] as number
      if (frequency) entries[count++] = id * 256 + Math.min(frequency, 255)
      frequencies[id] = 0
    }
    return entries.slice(0, count)
  }

  priorOf(stem: number): number {
    return this.#priors[stem] as number
  }

  /** The stems whose prior is known. */
  #known = 0

  #learn(): void {
    this.#priors = withRoom(this.#priors, this.size)
    for (; this.#known < this.size; this.#known++) {
      this.#priors[this.#known] = priorProbabilityOf(this.#stems, this.#known)
    }
  }
}

export interface VocabularyParts {
  stems: StemParts
  priors: Float32Array<ArrayBuffer>
}
