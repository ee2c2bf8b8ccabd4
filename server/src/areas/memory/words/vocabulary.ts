import { priorLevelOf, probabilityAt } from './prior-frequencies.ts'
import { type PackedStrings, StemBytes, type StemParts } from './stem-bytes.ts'
import { StemTrigrams } from './stem-trigrams.ts'
import { withRoom } from './with-room.ts'
import { mayBeForms } from './word-forms.ts'

/** Stems that are stored, each once, with the levels of their prior probabilities. */
export interface PackedStems extends PackedStrings {
  readonly levels: Uint8Array
}

/** So many stems are looked at for other forms. */
const MOST_LOOKED_AT = 200_000

/** The stems of an index as numbers, each with its prior probability and its character 3-grams. */
export class Vocabulary {
  readonly #stems: StemBytes
  readonly trigrams: StemTrigrams
  /** By stem: the level of its prior probability. */
  #levels = new Uint8Array(0)
  /** By stem: its frequency in a text; all 0 between calls. */
  #frequencies = new Uint32Array(0)

  constructor(stems = new StemBytes()) {
    this.#stems = stems
    this.trigrams = new StemTrigrams(stems)
  }

  /** What it holds but for 3-grams, to be passed to another thread; it must not be used any more. */
  parts(): VocabularyParts {
    return { stems: this.#stems.parts(), levels: this.#levels }
  }

  static from({ stems, levels }: VocabularyParts): Vocabulary {
    const made = new Vocabulary(StemBytes.from(stems))
    made.#levels = levels
    return made
  }

  get size(): number {
    return this.#stems.size
  }

  get bytes(): number {
    return this.#stems.bytes + this.#levels.length + this.trigrams.bytes
  }

  /** All stems as bytes, in the order of their numbers. */
  packed(): PackedStems {
    return { ...this.#stems.packed(), levels: this.#levels.slice(0, this.size) }
  }

  find(stem: string): number | undefined {
    return this.#stems.find(stem)
  }

  /** The number of a stem; a new stem gets the next one. */
  idOf(stem: string): number {
    const before = this.size
    const id = this.#stems.idOf(stem)
    if (id < before) return id
    this.#levels = withRoom(this.#levels, this.size)
    this.#levels[id] = priorLevelOf(stem)
    return id
  }

  /** Writes the numbers of the packed stems from `first` to before `end` to the same places of `numbers`. */
  idsOf(stems: PackedStems, numbers: Uint32Array, first: number, end: number): void {
    this.#stems.idsOf(stems, numbers, first, end)
    this.#levels = withRoom(this.#levels, this.size)
    for (let i = first; i < end; i++) this.#levels[numbers[i] as number] = stems.levels[i] as number
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

  /**
   * The stems that may be other forms of words, each with the word. They begin with the same letter. The stems of the
   * oldest texts are looked at, which are the common ones: that takes some 25 ms at most.
   */
  *formsOf(words: readonly string[]): Generator<[stem: string, word: string]> {
    for (const stem of this.#stems.beginningLike(words, MOST_LOOKED_AT)) {
      const word = words.find((each) => each[0] === stem[0] && mayBeForms(each, stem))
      if (word !== undefined && word !== stem) yield [stem, word]
    }
  }

  priorOf(stem: number): number {
    return probabilityAt(this.#levels[stem] as number)
  }
}

export interface VocabularyParts {
  stems: StemParts
  levels: Uint8Array<ArrayBuffer>
}
