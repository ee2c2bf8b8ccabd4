import { priorProbability } from './prior-frequencies.ts'
import { StemTrigrams } from './stem-trigrams.ts'
import { withRoom } from './typed-column.ts'

/** The stems of an index as numbers, each with its prior probability and its character 3-grams. */
export class Vocabulary {
  readonly #stems = new Map<string, number>()
  readonly trigrams = new StemTrigrams()
  #priors = new Float32Array(0)
  /** By stem: its frequency in a text; all 0 between calls. */
  #frequencies = new Uint32Array(0)

  get size(): number {
    return this.#stems.size
  }

  get bytes(): number {
    return this.#stems.size * 72 + this.#priors.length * 8 + this.trigrams.bytes
  }

  /** In the order of their numbers. */
  stems(): string[] {
    return [...this.#stems.keys()]
  }

  find(stem: string): number | undefined {
    return this.#stems.get(stem)
  }

  /** The number of a stem; a new stem gets the next one. */
  idOf(stem: string): number {
    return this.#stems.get(stem) ?? this.#add(stem)
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

  #add(stem: string): number {
    const id = this.#stems.size
    this.#stems.set(stem, id)
    this.#priors = withRoom(this.#priors, id + 1)
    this.#priors[id] = priorProbability(stem)
    this.trigrams.add(stem)
    return id
  }
}
