import { withRoom } from './column.ts'
import { BLOCK, sumsBy } from './vector-kernel.ts'

/**
 * The signs of the elements of vectors, one bit each: how much of a query lies in elements of the other sign tells about how
 * far a vector is from it, at a small part of what their cosine costs.
 */
export class SignBits {
  readonly #bytes: number
  #blocks = new Uint8Array(0)

  constructor(dimensions: number) {
    this.#bytes = signBytes(dimensions)
  }

  get bytes(): number {
    return this.#blocks.byteLength
  }

  put(place: number, vector: Float32Array): void {
    this.#blocks = withRoom(this.#blocks, this.#end(place))
    for (let byte = 0; byte < this.#bytes; byte++) {
      let signs = 0
      for (let bit = 0; bit < 8; bit++) if ((vector[8 * byte + bit] as number) > 0) signs |= 1 << bit
      this.#blocks[this.#at(place, byte)] = signs
    }
  }

  move(from: number, to: number): void {
    for (let byte = 0; byte < this.#bytes; byte++) {
      this.#blocks[this.#at(to, byte)] = this.#blocks[this.#at(from, byte)] as number
    }
  }

  /**
   * Writes how far the vectors at the places of a part (up to whole blocks of 16, for which there must be room) are from
   * a query, by its tables.
   */
  measure({ tables }: SignTables, from: number, to: number, distances: Uint16Array): void {
    sumsBy(tables, this.#blocks, [Math.floor(from / BLOCK), Math.ceil(to / BLOCK)], distances)
  }

  #at(place: number, byte: number): number {
    return (place - (place % BLOCK)) * this.#bytes + byte * BLOCK + (place % BLOCK)
  }

  #end(place: number): number {
    return (Math.floor(place / BLOCK) + 1) * BLOCK * this.#bytes
  }
}

/** For every four elements and every way their signs can be: how much of a query lies in elements of the other sign. */
export interface SignTables {
  tables: Uint8Array
  /** What 1 of a query's elements, without their signs, makes of a distance. */
  scale: number
}

/** The two halves of a byte add up to less than 256, and a whole distance, however it is rounded, to less than 65,536. */
const MOST_OF_FOUR = 127
const WHOLE = 60_000

export function signTables(query: Float32Array): SignTables {
  const tables = new Uint8Array(signBytes(query.length) * 2 * 16)
  let whole = 0
  let most = 0
  for (let start = 0; start < query.length; start += 4) {
    const four = query.subarray(start, start + 4).reduce((sum, value) => sum + Math.abs(value), 0)
    whole += four
    most = Math.max(most, four)
  }
  const scale = Math.min(MOST_OF_FOUR / (most || 1), WHOLE / (whole || 1))
  const differing = new Float64Array(16)
  for (let start = 0; start < query.length; start += 4) {
    const four = query.subarray(start, start + 4)
    differing[0] = four.reduce((sum, value) => sum + Math.max(0, value), 0)
    for (let signs = 0; signs < 16; signs++) {
      // With one sign fewer, all is known but for its element.
      const lowest = 31 - Math.clz32(signs & -signs)
      if (signs > 0) differing[signs] = (differing[signs & (signs - 1)] as number) - (four[lowest] ?? 0)
      tables[4 * start + signs] = Math.round((differing[signs] as number) * scale)
    }
  }
  return { tables, scale }
}

/** Bytes that the signs of a vector take. */
export const signBytes = (dimensions: number) => Math.ceil(dimensions / 8)
