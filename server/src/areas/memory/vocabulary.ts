import { backgroundProbability, trigramWeight } from './background.ts'
import { withRoom } from './column.ts'
import { SUBLINEAR } from './sublinear.ts'
import { trigramsOf } from './tokenize.ts'

/** Up to here single precision counts without gaps. */
const LAST_QUERY = 2 ** 24

/** The stems of an index as numbers, each with its background probability and its character 3-grams. */
export class Vocabulary {
  readonly #stems = new Map<string, number>()
  readonly #trigrams = new Map<string, number>()
  #background = new Float32Array(0)
  #weights = new Float32Array(0)
  /** The 3-grams of stem `s` are `#grams[#starts[s]..#starts[s + 1]]`. */
  #starts = new Uint32Array(1)
  #grams = new Uint32Array(0)
  #scratch = new Float32Array(0)
  /** For each stem the number of a query and how near it is to that: beside each other, as they are read together. */
  #affinities = new Float32Array(0)
  #queries = 0

  get size(): number {
    return this.#stems.size
  }

  get bytes(): number {
    const strings = (this.#stems.size + this.#trigrams.size) * 72
    return strings + (this.#background.length + this.#weights.length + this.#starts.length + this.#grams.length) * 4
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

  /** The length of the 3-gram vector of a text of these entries (stem × 256 + frequency). */
  trigramNorm(entries: Uint32Array): number {
    this.#scratch = withRoom(this.#scratch, this.#trigrams.size)
    const scratch = this.#scratch
    for (const entry of entries) {
      const stem = entry >>> 8
      const value = SUBLINEAR[entry & 255] as number
      for (let g = this.#starts[stem] as number; g < (this.#starts[stem + 1] as number); g++) {
        const gram = this.#grams[g] as number
        scratch[gram] = (scratch[gram] as number) + value
      }
    }
    let sum = 0
    for (const entry of entries) {
      const stem = entry >>> 8
      for (let g = this.#starts[stem] as number; g < (this.#starts[stem + 1] as number); g++) {
        const gram = this.#grams[g] as number
        sum += ((scratch[gram] as number) * (this.#weights[gram] as number)) ** 2
        scratch[gram] = 0
      }
    }
    return Math.sqrt(sum)
  }

  /**
   * How near each stem is to a query's 3-grams: a text's cosine is the weighted sum over its stems by its norm. Valid
   * until the next call: what is known of stems is kept in one place.
   */
  trigramAffinity(query: Map<string, number>): (stem: number) => number {
    const vector = new Map<string, number>()
    for (const [stem, weight] of query) {
      for (const gram of trigramsOf(stem)) vector.set(gram, (vector.get(gram) ?? 0) + weight * trigramWeight(gram))
    }
    const norm = Math.hypot(...vector.values()) || 1
    const byGram = new Float32Array(this.#trigrams.size)
    for (const [gram, value] of vector) {
      const id = this.#trigrams.get(gram)
      if (id !== undefined) byGram[id] = (value / norm) * (this.#weights[id] as number)
    }
    const number = this.#nextQuery()
    const known = this.#affinities
    return (stem) => {
      if (known[2 * stem] === number) return known[2 * stem + 1] as number
      let sum = 0
      for (let g = this.#starts[stem] as number; g < (this.#starts[stem + 1] as number); g++) {
        sum += byGram[this.#grams[g] as number] as number
      }
      known[2 * stem] = number
      known[2 * stem + 1] = sum
      return sum
    }
  }

  #nextQuery(): number {
    if (this.#affinities.length < 2 * this.#stems.size || this.#queries === LAST_QUERY) {
      this.#affinities = new Float32Array(3 * this.#stems.size)
      this.#queries = 0
    }
    return ++this.#queries
  }

  #add(stem: string): number {
    const id = this.#stems.size
    this.#stems.set(stem, id)
    this.#background = withRoom(this.#background, id + 1)
    this.#background[id] = backgroundProbability(stem)
    this.#starts = withRoom(this.#starts, id + 2)
    let end = this.#starts[id] as number
    for (const gram of trigramsOf(stem)) {
      this.#grams = withRoom(this.#grams, end + 1)
      this.#grams[end++] = this.#trigramOf(gram)
    }
    this.#starts[id + 1] = end
    return id
  }

  #trigramOf(gram: string): number {
    const known = this.#trigrams.get(gram)
    if (known !== undefined) return known
    const id = this.#trigrams.size
    this.#trigrams.set(gram, id)
    this.#weights = withRoom(this.#weights, id + 1)
    this.#weights[id] = trigramWeight(gram)
    return id
  }
}
