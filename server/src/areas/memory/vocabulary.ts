import { backgroundProbability } from './background.ts'
import { withRoom } from './column.ts'
import { StemTrigrams } from './stem-trigrams.ts'

/** The stems of an index as numbers, each with its background probability and its character 3-grams. */
export class Vocabulary {
  readonly #stems = new Map<string, number>()
  readonly trigrams = new StemTrigrams()
  #background = new Float32Array(0)

  get size(): number {
    return this.#stems.size
  }

  get bytes(): number {
    return this.#stems.size * 72 + this.#background.length * 4 + this.trigrams.bytes
  }

  find(stem: string): number | undefined {
    return this.#stems.get(stem)
  }

  /** The number of a stem, given on first sight. */
  idOf(stem: string): number {
    return this.#stems.get(stem) ?? this.#add(stem)
  }

  background(stem: number): number {
    return this.#background[stem] as number
  }

  #add(stem: string): number {
    const id = this.#stems.size
    this.#stems.set(stem, id)
    this.#background = withRoom(this.#background, id + 1)
    this.#background[id] = backgroundProbability(stem)
    this.trigrams.add(stem)
    return id
  }
}
