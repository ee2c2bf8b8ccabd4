import { turn } from '../../platform/turn.ts'
import { withRoom } from './column.ts'
import { distancesOf, SignBits, weightsOf, wordsOf } from './sign-bits.ts'
import { Top } from './top.ts'

interface Wanted {
  admits: (key: string) => boolean
  among?: string[] | undefined
  count: number
  also: string[]
}

/** So many vectors are compared exactly with a query. */
const EXACT = 8_192
/** Of more, about so many, who are nearest by the signs of their elements. */
const COMPARED = 2_048

/** The vectors of one text of the judgments of an API key, for a comparison with all of them. */
export class VectorColumn {
  readonly dimensions: number
  readonly #keys: string[] = []
  readonly #numbers: number[] = []
  readonly #places = new Map<string, number>()
  readonly #slice: number
  readonly #signs: SignBits
  #values = new Float32Array(0)

  /** Between slices of so many vectors the process goes on. */
  constructor(dimensions: number, slice = 8_192) {
    this.dimensions = dimensions
    this.#signs = new SignBits(dimensions)
    this.#slice = slice
  }

  /** About how much memory it holds. */
  get bytes(): number {
    return this.#values.byteLength + this.#signs.bytes + this.#keys.length * BYTES_PER_KEY
  }

  /** Adds the vector, or replaces that of the same key; `number` says which it is. */
  put(key: string, number: number, vector: Float32Array): void {
    const place = this.#places.get(key) ?? this.#keys.length
    this.#keys[place] = key
    this.#numbers[place] = number
    this.#places.set(key, place)
    this.#values = withRoom(this.#values, (place + 1) * this.dimensions)
    this.#values.set(vector, place * this.dimensions)
    this.#signs.put(place, vector)
  }

  remove(key: string): void {
    const place = this.#places.get(key)
    if (place === undefined) return
    const last = this.#keys.pop() as string
    const number = this.#numbers.pop() as number
    this.#places.delete(key)
    if (last === key) return
    this.#keys[place] = last
    this.#numbers[place] = number
    this.#places.set(last, place)
    const from = this.#keys.length * this.dimensions
    this.#values.copyWithin(place * this.dimensions, from, from + this.dimensions)
    this.#signs.move(this.#keys.length, place)
  }

  numberOf(key: string): number | undefined {
    return this.#numbers[this.#places.get(key) ?? -1]
  }

  /**
   * The cosines of the `count` nearest of the admitted keys, and of those `also` asked for that are there. `among`: all
   * that may be admitted, where they are few. Exactly the nearest where no more than 8,192 vectors come into question, else
   * almost all of them.
   */
  async nearest(query: Float32Array, { admits, among, count, also }: Wanted): Promise<Map<string, number>> {
    const top = new Top(count)
    const isAdmitted = (place: number) => admits(this.#keys[place] ?? '')
    const few = among && Uint32Array.from(among.flatMap((key) => this.#places.get(key) ?? []))
    const compared = await this.#sifted(query, few, isAdmitted)
    for (let i = 0; i < compared.length; i++) {
      if (i % this.#slice === this.#slice - 1) await turn()
      const place = compared[i] as number
      // `Top` keeps what is above 0, and a cosine may be below.
      const score = this.#cosine(query, place) + ABOVE_ZERO
      if (score > top.threshold && isAdmitted(place)) top.offer(place, score)
    }
    // Meanwhile another key may have got the place of one that was removed.
    const near = [...top.texts()].filter(isAdmitted)
    const wanted = also.flatMap((key) => this.#places.get(key) ?? [])
    const found = new Set([...near, ...wanted])
    return new Map(Array.from(found, (place) => [this.#keys[place] as string, this.#cosine(query, place)]))
  }

  /** The places to compare: of more than `EXACT` about `COMPARED` of the least distance, a quarter of them admitted. */
  async #sifted(
    query: Float32Array,
    places: Uint32Array | undefined,
    isAdmitted: (place: number) => boolean,
  ): Promise<Uint32Array> {
    const { length } = places ?? this.#keys
    if (length <= EXACT) return places ?? Uint32Array.from(this.#keys.keys())
    const distances = await this.#distances(query, places, length)
    const histogram = histogramOf(distances, distancesOf(this.dimensions))
    for (let wanted = COMPARED; ; wanted *= 4) {
      const farthest = distanceOfNearest(histogram, wanted)
      const near: number[] = []
      for (let i = 0; i < length; i++) {
        if ((distances[i] as number) > farthest) continue
        const place = places ? (places[i] as number) : i
        if (isAdmitted(place)) near.push(place)
      }
      if (near.length >= COMPARED / 4 || wanted >= length) return Uint32Array.from(near)
      await turn()
    }
  }

  async #distances(query: Float32Array, places: Uint32Array | undefined, length: number): Promise<Uint16Array> {
    const weights = weightsOf(query)
    const distances = new Uint16Array(length)
    const step = SIGNS_PER_COSINE * this.#slice
    for (let from = 0; from < length; from += step) {
      if (from > 0) await turn()
      this.#signs.measure(weights, { places, from, to: Math.min(from + step, length) }, distances)
    }
    return distances
  }

  #cosine(query: Float32Array, place: number): number {
    return dot(query, this.#values, place * this.dimensions)
  }
}

/** Four sums side by side: one alone waits for itself at every step, which takes more than twice as long. */
function dot(query: Float32Array, values: Float32Array, start: number): number {
  const { length } = query
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let i = 0
  for (; i + 3 < length; i += 4) {
    a += (query[i] as number) * (values[start + i] as number)
    b += (query[i + 1] as number) * (values[start + i + 1] as number)
    c += (query[i + 2] as number) * (values[start + i + 2] as number)
    d += (query[i + 3] as number) * (values[start + i + 3] as number)
  }
  for (; i < length; i++) a += (query[i] as number) * (values[start + i] as number)
  return a + b + c + d
}

function histogramOf(distances: Uint16Array, most: number): Uint32Array {
  const histogram = new Uint32Array(most + 1)
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i] as number
    histogram[distance] = (histogram[distance] as number) + 1
  }
  return histogram
}

/** Up to which distance there are so many. */
function distanceOfNearest(histogram: Uint32Array, wanted: number): number {
  let count = 0
  for (const [distance, some] of histogram.entries()) {
    count += some
    if (count >= wanted) return distance
  }
  return histogram.length
}

const ABOVE_ZERO = 2
/** As many signs are compared in the time of one cosine. */
const SIGNS_PER_COSINE = 8
/** The key, its number and its place. */
const BYTES_PER_KEY = 150

/** About how much memory one vector takes. */
export const bytesPerVector = (dimensions: number) => 4 * (dimensions + wordsOf(dimensions)) + BYTES_PER_KEY
