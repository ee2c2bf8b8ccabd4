import { turn } from '../../platform/turn.ts'
import { withRoom } from './column.ts'
import { Top } from './top.ts'

interface Wanted {
  admits: (key: string) => boolean
  among?: string[] | undefined
  count: number
  also: string[]
}

/** The vectors of one text of the judgments of an API key, for an exact comparison with all of them. */
export class VectorColumn {
  readonly dimensions: number
  readonly #keys: string[] = []
  readonly #numbers: number[] = []
  readonly #places = new Map<string, number>()
  readonly #slice: number
  #values = new Float32Array(0)

  /** Between slices of so many vectors the process goes on. */
  constructor(dimensions: number, slice = 8_192) {
    this.dimensions = dimensions
    this.#slice = slice
  }

  /** About how much memory it holds. */
  get bytes(): number {
    return this.#values.byteLength + this.#keys.length * BYTES_PER_KEY
  }

  /** Adds the vector, or replaces that of the same key; `number` says which it is. */
  put(key: string, number: number, vector: Float32Array): void {
    const place = this.#places.get(key) ?? this.#keys.length
    this.#keys[place] = key
    this.#numbers[place] = number
    this.#places.set(key, place)
    this.#values = withRoom(this.#values, (place + 1) * this.dimensions)
    this.#values.set(vector, place * this.dimensions)
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
  }

  numberOf(key: string): number | undefined {
    return this.#numbers[this.#places.get(key) ?? -1]
  }

  /**
   * The cosines of the `count` nearest of the admitted keys, and of those `also` asked for that are there. `among`: all
   * that may be admitted, where they are few.
   */
  async nearest(query: Float32Array, { admits, among, count, also }: Wanted): Promise<Map<string, number>> {
    const top = new Top(count)
    const few = among?.flatMap((key) => this.#places.get(key) ?? [])
    for (let i = 0; i < (few ?? this.#keys).length; i++) {
      if (i % this.#slice === this.#slice - 1) await turn()
      const place = few ? (few[i] as number) : i
      // `Top` keeps what is above 0, and a cosine may be below.
      const score = this.#cosine(query, place) + ABOVE_ZERO
      if (score > top.threshold && admits(this.#keys[place] as string)) top.offer(place, score)
    }
    // Meanwhile another key may have got the place of one that was removed.
    const near = [...top.texts()].filter((place) => admits(this.#keys[place] ?? ''))
    const wanted = also.flatMap((key) => this.#places.get(key) ?? [])
    const places = new Set([...near, ...wanted])
    return new Map(Array.from(places, (place) => [this.#keys[place] as string, this.#cosine(query, place)]))
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

const ABOVE_ZERO = 2
/** The key, its number and its place. */
export const BYTES_PER_KEY = 150
