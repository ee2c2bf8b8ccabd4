/** Keeps the `size` best texts above a floor. Of two with equal scores (to a millionth), it keeps the first offered. */
export class TopK {
  readonly #floor: number
  readonly #scores: Float64Array
  readonly #texts: Uint32Array
  readonly #size: number
  #count = 0

  constructor(size: number, floor = 0) {
    this.#floor = floor
    this.#size = size
    this.#scores = new Float64Array(size)
    this.#texts = new Uint32Array(size)
  }

  get count(): number {
    return this.#count
  }

  /** A score must be higher to be kept. */
  get threshold(): number {
    return this.#count < this.#size ? this.#floor : (this.#scores[0] as number) + TIE
  }

  /** A floor for another TopK that excludes no text which would be kept beside all that was offered here. */
  get floor(): number {
    return this.#count < this.#size ? 0 : Math.max(0, (this.#scores[0] as number) - 4 * TIE)
  }

  offer(text: number, score: number): void {
    if (score <= this.threshold || this.#size === 0) return
    if (this.#count < this.#size) this.#rise(this.#count++, text, score)
    else this.#sink(text, score)
  }

  /** Unordered. */
  texts(): Uint32Array {
    return this.#texts.slice(0, this.#count)
  }

  #rise(place: number, text: number, score: number): void {
    let at = place
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((this.#scores[parent] as number) <= score) break
      this.#move(parent, at)
      at = parent
    }
    this.#scores[at] = score
    this.#texts[at] = text
  }

  #sink(text: number, score: number): void {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.#count) break
      if (child + 1 < this.#count && (this.#scores[child + 1] as number) < (this.#scores[child] as number)) child++
      if ((this.#scores[child] as number) >= score) break
      this.#move(child, at)
      at = child
    }
    this.#scores[at] = score
    this.#texts[at] = text
  }

  #move(from: number, to: number): void {
    this.#scores[to] = this.#scores[from] as number
    this.#texts[to] = this.#texts[from] as number
  }
}

const TIE = 1e-6
