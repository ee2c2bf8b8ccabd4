import { withRoom } from '../words/with-room.ts'

/** Vectors by place, in pages, so that growing never copies all of them. */
export class VectorPages {
  readonly #length: number
  readonly #pages: Float32Array[] = []

  /** `length`: the number of elements of each vector. Shorter vectors are padded with zeros. */
  constructor(length: number) {
    this.#length = length
  }

  get bytes(): number {
    return this.#pages.reduce((sum, page) => sum + page.byteLength, 0)
  }

  put(place: number, vector: Float32Array): void {
    const page = Math.floor(place / PAGE)
    // The first page grows: most API keys have few judgments.
    const room = page === 0 ? place + 1 : PAGE
    this.#pages[page] = withRoom(this.#pages[page] ?? new Float32Array(0), room * this.#length)
    this.#at(place).set(vector)
  }

  /** Copies the vector at a place. */
  copy(place: number, target: Float32Array, at: number): void {
    target.set(this.#at(place), at)
  }

  #at(place: number): Float32Array {
    const start = (place % PAGE) * this.#length
    return (this.#pages[Math.floor(place / PAGE)] as Float32Array).subarray(start, start + this.#length)
  }
}

/** Vectors per page. */
const PAGE = 256
