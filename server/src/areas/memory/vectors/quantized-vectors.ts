import { withRoom } from '../words/with-room.ts'
import { BLOCK, sumsBy } from './vector-kernel.ts'

/**
 * Quantized vectors of length 1: each element is one of four levels, in two bits. Their distances are exact enough to
 * exclude nearly all vectors, at a small part of the cost of cosines.
 */
export class QuantizedVectors {
  readonly #bytes: number
  readonly #threshold: number
  #blocks = new Uint8Array(0)

  constructor(dimensions: number) {
    this.#bytes = quantizedBytes(dimensions)
    this.#threshold = THRESHOLD / Math.sqrt(dimensions)
  }

  get bytes(): number {
    return this.#blocks.byteLength
  }

  put(place: number, vector: Float32Array): void {
    this.#blocks = withRoom(this.#blocks, this.#at(place - (place % BLOCK) + BLOCK, 0))
    for (let byte = 0; byte < this.#bytes; byte++) {
      let levels = 0
      for (let i = 3; i >= 0; i--) levels = (levels << 2) | this.#levelOf(vector[4 * byte + i] ?? 0)
      this.#blocks[this.#at(place, byte)] = levels
    }
  }

  /**
   * Writes the distances of the vectors at some places from a query. Works on whole blocks of 16, and so must
   * `distances`.
   */
  measure(tables: Uint8Array, from: number, to: number, distances: Uint16Array): void {
    sumsBy(tables, this.#blocks, [Math.floor(from / BLOCK), Math.ceil(to / BLOCK)], distances)
  }

  #levelOf(value: number): number {
    if (value > this.#threshold) return 3
    if (value > 0) return 2
    return value > -this.#threshold ? 1 : 0
  }

  #at(place: number, byte: number): number {
    return (place - (place % BLOCK)) * this.#bytes + byte * BLOCK + (place % BLOCK)
  }
}

/** The best threshold and levels for normally distributed elements (Max 1960). */
const THRESHOLD = 0.9816
const LEVELS = [-1.51, -0.4528, 0.4528, 1.51]
const HIGHEST = 1.51

/** The two tables of a byte add up to less than 256, and a whole distance to less than 65,536 after rounding. */
const MOST_OF_TWO = 127
const WHOLE = 56_000

/**
 * Tables for two elements each, by the 16 combinations of their levels. An entry is the highest possible dot product
 * with the query's elements minus the actual one, in a common unit.
 */
export function distanceTables(query: Float32Array): Uint8Array {
  const tables = new Uint8Array(quantizedBytes(query.length) * 2 * 16)
  const size = (i: number) => Math.abs(query[i] ?? 0)
  let whole = 0
  let most = 0
  for (let i = 0; i < query.length; i += 2) {
    whole += size(i) + size(i + 1)
    most = Math.max(most, size(i) + size(i + 1))
  }
  const unit = Math.min(MOST_OF_TWO / (most || 1), WHOLE / (whole || 1)) / (2 * HIGHEST)
  for (let i = 0; i < query.length; i += 2) {
    const first = (query[i] as number) * unit
    const second = (query[i + 1] ?? 0) * unit
    const highest = HIGHEST * (Math.abs(first) + Math.abs(second))
    for (let levels = 0; levels < 16; levels++) {
      const products = first * (LEVELS[levels & 3] as number) + second * (LEVELS[levels >> 2] as number)
      tables[8 * i + levels] = Math.round(highest - products)
    }
  }
  return tables
}

/** The number of bytes of a quantized vector. */
export const quantizedBytes = (dimensions: number) => Math.ceil(dimensions / 4)
