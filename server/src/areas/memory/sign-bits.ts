import { withRoom } from './column.ts'

/**
 * The signs of the elements of vectors, one bit each: how much of a query lies in elements of the other sign tells about how
 * far a vector is from it, at a tenth of what their cosine costs.
 */
export class SignBits {
  readonly #words: number
  #bits = new Uint32Array(0)

  constructor(dimensions: number) {
    this.#words = wordsOf(dimensions)
  }

  get bytes(): number {
    return this.#bits.byteLength
  }

  put(place: number, vector: Float32Array): void {
    this.#bits = withRoom(this.#bits, (place + 1) * this.#words)
    this.#bits.set(signsOf(vector), place * this.#words)
  }

  move(from: number, to: number): void {
    this.#bits.copyWithin(to * this.#words, from * this.#words, (from + 1) * this.#words)
  }

  /** Writes how far the vectors of some of the places, or of all, are from a query, by its weights. */
  measure(weights: Uint16Array, { places, from, to }: Part, distances: Uint16Array): void {
    const bits = this.#bits
    const words = this.#words
    for (let i = from; i < to; i++) {
      const start = (places ? (places[i] as number) : i) * words
      let distance = 0
      for (let word = 0; word < words; word++) {
        const signs = bits[start + word] as number
        const first = word << 10
        distance +=
          (weights[first + (signs & 255)] as number) +
          (weights[first + 256 + ((signs >>> 8) & 255)] as number) +
          (weights[first + 512 + ((signs >>> 16) & 255)] as number) +
          (weights[first + 768 + (signs >>> 24)] as number)
      }
      distances[i] = distance
    }
  }
}

/** The places to measure, or all, and which of them. */
interface Part {
  places: Uint32Array | undefined
  from: number
  to: number
}

/** The greatest distance: of a vector whose signs all differ, but for rounding. */
const WHOLE = 32_000

/**
 * For each byte of signs and each value that it can have: how much of the query lies in elements of the other sign, where the
 * whole query (the sum of what its elements are without their signs) is 32,000.
 */
export function weightsOf(query: Float32Array): Uint16Array {
  const whole = query.reduce((sum, value) => sum + Math.abs(value), 0) || 1
  const weights = new Uint16Array(wordsOf(query.length) * 4 * 256)
  for (let byte = 0; byte < weights.length / 256; byte++) {
    const elements = query.subarray(8 * byte, 8 * byte + 8)
    for (let signs = 0; signs < 256; signs++) {
      const differing = elements.reduce(
        (sum, value, bit) => (value > 0 === ((signs >>> bit) & 1) > 0 ? sum : sum + Math.abs(value)),
        0,
      )
      weights[256 * byte + signs] = Math.round((differing / whole) * WHOLE)
    }
  }
  return weights
}

/** How many distances there can be: the rounding of each byte's weights may add up. */
export const distancesOf = (dimensions: number): number => WHOLE + wordsOf(dimensions) * 4

function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(wordsOf(vector.length))
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] as number) > 0) signs[i >>> 5] = (signs[i >>> 5] as number) | (1 << (i & 31))
  }
  return signs
}

export const wordsOf = (dimensions: number) => Math.ceil(dimensions / 32)
