import { withRoom } from './column.ts'

/**
 * The signs of the elements of vectors, one bit each: in how many of them two vectors differ tells about how large the angle
 * between them is, at a twentieth of what their cosine costs.
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

  /** Writes in how many elements the vectors of some of the places, or of all, differ from one of these signs. */
  measure(signs: Uint32Array, { places, from, to }: Part, distances: Uint16Array): void {
    const bits = this.#bits
    const { length } = signs
    for (let i = from; i < to; i++) {
      const start = (places ? (places[i] as number) : i) * length
      let distance = 0
      for (let word = 0; word < length; word += 3) {
        const a = (bits[start + word] as number) ^ (signs[word] as number)
        const b = (bits[start + word + 1] as number) ^ (signs[word + 1] as number)
        const c = (bits[start + word + 2] as number) ^ (signs[word + 2] as number)
        distance += onesOf(a, b, c)
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

/** The signs of a vector, in words as `SignBits` keeps them. */
export function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(wordsOf(vector.length))
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] as number) > 0) signs[i >>> 5] = (signs[i >>> 5] as number) | (1 << (i & 31))
  }
  return signs
}

/** So many that they can be counted by threes. */
export const wordsOf = (dimensions: number) => 3 * Math.ceil(dimensions / 96)

/** How many bits of three words are set: added up as columns first, then within pairs, fours and bytes of bits at once. */
function onesOf(a: number, b: number, c: number): number {
  const both = a ^ b
  const ones = both ^ c
  const twos = (a & b) | (both & c)
  const sum = inFours(ones) + 2 * inFours(twos)
  return Math.imul((sum & 0x0f0f0f0f) + ((sum >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24
}

function inFours(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
}
