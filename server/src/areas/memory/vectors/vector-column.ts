import { yieldToEventLoop } from '../../../platform/turns/yield.ts'
import type { JudgmentTable } from '../lexical/judgment-table.ts'
import type { RowFilter } from '../lexical/row-filter.ts'
import { TopK } from '../lexical/top-k.ts'
import { distanceTables, QuantizedVectors, quantizedBytes } from './quantized-vectors.ts'
import { type AdmittedPlaces, RowMap } from './row-map.ts'
import { placesWhere, smallestDistances } from './smallest-distances.ts'
import { BLOCK, paddedLength, productsWith } from './vector-kernel.ts'
import { VectorPages } from './vector-pages.ts'

interface Wanted {
  /** Rows of the table that the column is aligned with. It is read before the first wait. */
  filter: RowFilter
  count: number
  also: string[]
}

/** A running comparison, which must notice concurrent changes. */
interface Comparison {
  /** By place at the start of the comparison; cleared when the key of the place is removed. */
  admitted: Uint8Array
  /** Places whose vectors were replaced since. */
  replaced: Set<number>
}

/** Up to this many vectors, or a 32nd of all if that is more, are compared exactly. */
const EXACT = 8_192
const EXACT_SHARE = 32
/** Of more, about this many are compared exactly: the nearest by their quantized vectors. */
const PRESELECTED = 512

/** The vectors of one text of an API key's judgments. */
export class VectorColumn {
  readonly dimensions: number
  readonly #stride: number
  readonly #keys: string[] = []
  readonly #numbers: number[] = []
  readonly #places = new Map<string, number>()
  /** Places of removed keys, for new keys. Vectors never move, so running comparisons miss none. */
  readonly #free: number[] = []
  readonly #slice: number
  readonly #quantized: QuantizedVectors
  readonly #values: VectorPages
  readonly #rows = new RowMap()
  readonly #comparisons = new Set<Comparison>()

  /** The event loop runs between slices of this many vectors. */
  constructor(dimensions: number, slice = 8_192) {
    this.dimensions = dimensions
    this.#stride = paddedLength(dimensions)
    this.#quantized = new QuantizedVectors(dimensions)
    this.#values = new VectorPages(this.#stride)
    this.#slice = slice
  }

  /** The approximate size in memory. */
  get bytes(): number {
    return this.#values.bytes + this.#quantized.bytes + this.#keys.length * BYTES_PER_KEY
  }

  /** Adds the vector, or replaces that of the key. `number` identifies the vector. */
  put(key: string, number: number, vector: Float32Array): void {
    const known = this.#places.get(key)
    const place = known ?? this.#free.pop() ?? this.#keys.length
    if (known === undefined) this.#rows.put(place, key)
    for (const { replaced } of this.#comparisons) replaced.add(place)
    this.#keys[place] = key
    this.#numbers[place] = number
    this.#places.set(key, place)
    this.#values.put(place, vector)
    this.#quantized.put(place, vector)
  }

  remove(key: string): void {
    const place = this.#places.get(key)
    if (place === undefined) return
    for (const { admitted } of this.#comparisons) admitted[place] = 0
    this.#rows.remove(place)
    this.#places.delete(key)
    this.#free.push(place)
  }

  numberOf(key: string): number | undefined {
    return this.#numbers[this.#places.get(key) ?? -1]
  }

  /** Maps rows of the table, one slice per call; false if more are left. */
  align(table: JudgmentTable): boolean {
    return this.#rows.align(table, this.#places, this.#slice)
  }

  /**
   * Returns the cosines of the `count` nearest rows that pass the filter, and of the `also` keys that have a vector.
   * Exact if at most 8,192 vectors, or a 32nd of all, pass the filter; else nearly all of the nearest are found. Keys
   * removed meanwhile are left out. Keys whose vectors were replaced meanwhile are included, however far they are.
   */
  async nearest(query: Float32Array, { filter, count, also }: Wanted): Promise<Map<string, number>> {
    const padded = new Float32Array(this.#stride)
    padded.set(query)
    const places = this.#rows.admitted(filter, this.#keys.length)
    const { flags: admitted } = places
    const comparison: Comparison = { admitted, replaced: new Set() }
    this.#comparisons.add(comparison)
    try {
      const compared = await this.#preselected(query, places)
      const top = new TopK(count)
      for (let from = 0; from < compared.length; from += this.#slice) {
        if (from > 0) await yieldToEventLoop()
        const slice = compared.subarray(from, from + this.#slice)
        const cosines = productsWith(padded, this.#values, slice)
        // `TopK` keeps only scores above 0, and a cosine may be negative.
        for (let i = 0; i < slice.length; i++) top.offer(slice[i] as number, (cosines[i] as number) + ABOVE_ZERO)
      }
      const near = [...top.texts(), ...comparison.replaced].filter((place) => admitted[place] === 1)
      const found = Uint32Array.from(new Set([...near, ...also.flatMap((key) => this.#places.get(key) ?? [])]))
      const cosines = productsWith(padded, this.#values, found)
      return new Map(Array.from(found, (place, i) => [this.#keys[place] as string, cosines[i] as number]))
    } finally {
      this.#comparisons.delete(comparison)
    }
  }

  /** The admitted places to compare: all if they are few, else about `PRESELECTED` with the smallest distances. */
  async #preselected(query: Float32Array, { flags: admitted, count, listed }: AdmittedPlaces): Promise<Uint32Array> {
    const { length } = admitted
    if (count <= Math.max(EXACT, length / EXACT_SHARE)) return listed ?? placesWhere(admitted, count, () => true)
    const tables = distanceTables(query)
    const distances = new Uint16Array(Math.ceil(length / BLOCK) * BLOCK)
    const step = Math.ceil((DISTANCES_PER_COSINE * this.#slice) / BLOCK) * BLOCK
    for (let from = 0; from < length; from += step) {
      if (from > 0) await yieldToEventLoop()
      this.#quantized.measure(tables, from, Math.min(from + step, length), distances)
    }
    return smallestDistances(distances, admitted, PRESELECTED)
  }
}

const ABOVE_ZERO = 2
/** This many distances take as long as one cosine. */
const DISTANCES_PER_COSINE = 16
/** The key, its number, its place, its row, the place of that row, and whether the filters that stand admit it. */
const BYTES_PER_KEY = 160

/** The approximate size of one vector in memory. */
export const bytesPerVector = (dimensions: number) =>
  4 * paddedLength(dimensions) + quantizedBytes(dimensions) + BYTES_PER_KEY
