import { trigramWeightAt } from './prior-frequencies.ts'
import type { StemBytes } from './stem-bytes.ts'
import { SUBLINEAR, sublinear } from './sublinear.ts'
import { PLACES, placeOf, placesOf } from './trigram-places.ts'
import { trigramsOf } from './trigrams.ts'
import { withRoom } from './with-room.ts'

/** 3-grams of a row: enough for most stems. */
const ROW = 8

/** A stem by its number, and how often a text has it. */
interface CountedStem {
  readonly stem: number
  readonly frequency: number
}

/**
 * The character 3-grams of numbered stems, each made when it is first needed. Rows have a fixed length: it need not be
 * read, so the processor fetches the rows of many stems in parallel.
 */
export class StemTrigrams {
  readonly #stems: Pick<StemBytes, 'bytesOf' | 'textOf'>
  /** The numbers of 3-grams that have no place. */
  readonly #others = new Map<string, number>()
  /**
   * A row for each stem, which begins with 0 until it is made. It is padded with 0, which has no weight. `~r` in the last
   * place means that the rest is in row `r` of `#more`.
   */
  #rows = new Int32Array(0)
  #more = new Int32Array(0)
  #longer = 0

  constructor(stems: Pick<StemBytes, 'bytesOf' | 'textOf'>) {
    this.#stems = stems
  }

  get bytes(): number {
    return this.#others.size * 80 + (this.#rows.length + this.#more.length) * 4
  }

  /** Makes the row of a stem. */
  #make(stem: number): void {
    const grams = this.#gramsOf(stem)
    this.#rows = withRoom(this.#rows, (stem + 1) * ROW)
    let rows = this.#rows
    let at = stem * ROW
    let from = 0
    while (grams.length - from > ROW) {
      const next = this.#longer++
      this.#more = withRoom(this.#more, (next + 1) * ROW)
      if (from > 0) rows = this.#more
      for (let i = 0; i < ROW - 1; i++) rows[at + i] = grams[from + i] as number
      rows[at + ROW - 1] = ~next
      rows = this.#more
      at = next * ROW
      from += ROW - 1
    }
    for (let i = 0; from + i < grams.length; i++) rows[at + i] = grams[from + i] as number
  }

  /** The numbers of the 3-grams of a stem, to be read before the next call: of most from bytes, without making strings. */
  #gramsOf(stem: number): ArrayLike<number> {
    const places = placesOf(this.#stems.bytesOf(stem))
    if (!places) {
      const numbers = trigramsOf(this.#stems.textOf(stem)).map((gram) => this.#numberOf(gram))
      makeRoom(this.#others.size)
      return numbers
    }
    for (let i = 0; i < places.length; i++) places[i] = numberAt(places[i] as number)
    return places
  }

  /** The norm of the 3-gram vector of a text with these entries (stem × 256 + frequency). */
  norm(entries: Uint32Array): number {
    for (const entry of entries) if (!this.#rows[(entry >>> 8) * ROW]) this.#make(entry >>> 8)
    const { amounts, weights } = cleared(this.#others.size)
    const rows = this.#rows
    const more = this.#more
    for (const entry of entries) {
      spread(SUBLINEAR[entry & 255] as number, amounts, rows, (entry >>> 8) * ROW, more)
    }
    let sum = 0
    for (const entry of entries) sum += squared(amounts, weights, rows, (entry >>> 8) * ROW, more)
    return Math.sqrt(sum)
  }

  /**
   * Returns the affinity of a stem to the 3-grams of a query with known and other stems. A text's cosine is the weighted
   * sum over its stems, divided by its norm. Valid until the next call of this or `norm`, of any index.
   */
  affinity(known: readonly CountedStem[], others: ReadonlyMap<string, number>): (stem: number) => number {
    const grams = this.#loadQuery(known, others)
    return (stem) => {
      if (!this.#rows[stem * ROW]) this.#make(stem)
      return sumOf(grams.amounts, this.#rows, stem * ROW, this.#more)
    }
  }

  /** Loads the unit vector of the query's 3-grams, times their weights. */
  #loadQuery(known: readonly CountedStem[], others: ReadonlyMap<string, number>): Grams {
    for (const { stem } of known) if (!this.#rows[stem * ROW]) this.#make(stem)
    const grams = cleared(this.#others.size)
    const { amounts, weights, rarest, present } = grams
    const add = (gram: number, amount: number) => {
      if (!amounts[gram]) present.push(gram)
      amounts[gram] = (amounts[gram] as number) + amount
    }
    for (const { stem, frequency } of known) this.#eachGram(this.#rows, stem * ROW, sublinear(frequency), add)
    const unknownGrams = new Map<string, number>()
    for (const [stem, frequency] of others) {
      for (const gram of trigramsOf(stem)) {
        const number = this.#knownNumber(gram)
        if (number === undefined) unknownGrams.set(gram, (unknownGrams.get(gram) ?? 0) + sublinear(frequency))
        else add(number, sublinear(frequency))
      }
    }
    let squares = 0
    for (const gram of present) squares += ((amounts[gram] as number) * (weights[gram] as number)) ** 2
    for (const amount of unknownGrams.values()) squares += (amount * rarest) ** 2
    const norm = Math.sqrt(squares) || 1
    for (const gram of present) amounts[gram] = ((amounts[gram] as number) * (weights[gram] as number) ** 2) / norm
    return grams
  }

  #eachGram(rows: Int32Array, at: number, amount: number, add: (gram: number, amount: number) => void): void {
    for (let i = at; i < at + ROW; i++) {
      const gram = rows[i] as number
      if (gram < 0) this.#eachGram(this.#more, ~gram * ROW, amount, add)
      else if (gram) add(gram, amount)
    }
  }

  #knownNumber(gram: string): number | undefined {
    const place = placeOf(gram)
    return place === undefined ? this.#others.get(gram) : numberAt(place)
  }

  #numberOf(gram: string): number {
    const known = this.#knownNumber(gram)
    if (known !== undefined) return known
    const number = FIRST_OTHER + this.#others.size
    this.#others.set(gram, number)
    return number
  }
}

/** The number of the 3-gram at a place: from 1, because rows are padded with 0. Those without a place follow. */
const numberAt = (place: number) => place + 1
const FIRST_OTHER = numberAt(PLACES)

interface Grams {
  /** By 3-gram: its amount in a text or a query. */
  amounts: Float32Array
  /** By 3-gram. */
  weights: Float32Array
  /** The weight of a 3-gram without a place. */
  rarest: number
  /** The 3-grams of a query. */
  present: number[]
}

/** All indexes of the process share it: it is larger than the rest of a small index. Its arrays are replaced to grow. */
let shared: Grams | undefined

/** What is shared, without amounts, and with room for so many 3-grams that have no place. */
function cleared(others: number): Grams {
  const grams = makeRoom(others)
  for (const gram of grams.present) grams.amounts[gram] = 0
  grams.present = []
  return grams
}

/** Makes room for so many 3-grams that have no place. */
function makeRoom(others: number): Grams {
  shared ??= newGrams()
  const known = shared.weights.length
  shared.amounts = withRoom(shared.amounts, FIRST_OTHER + others)
  shared.weights = withRoom(shared.weights, FIRST_OTHER + others)
  if (shared.weights.length > known) shared.weights.fill(shared.rarest, known)
  return shared
}

function newGrams(): Grams {
  const weights = new Float32Array(FIRST_OTHER)
  for (let place = 0; place < PLACES; place++) weights[numberAt(place)] = trigramWeightAt(place)
  return { amounts: new Float32Array(FIRST_OTHER), weights, rarest: trigramWeightAt(-1), present: [] }
}

/** The sum of the amounts of a row's 3-grams, including linked rows; unrolled, because a loop takes longer. */
function sumOf(amounts: Float32Array, rows: Int32Array, at: number, more: Int32Array): number {
  const sum =
    (amounts[rows[at] as number] as number) +
    (amounts[rows[at + 1] as number] as number) +
    (amounts[rows[at + 2] as number] as number) +
    (amounts[rows[at + 3] as number] as number) +
    (amounts[rows[at + 4] as number] as number) +
    (amounts[rows[at + 5] as number] as number) +
    (amounts[rows[at + 6] as number] as number)
  const last = rows[at + ROW - 1] as number
  return sum + (last < 0 ? sumOf(amounts, more, ~last * ROW, more) : (amounts[last] as number))
}

/** Adds a value to the amounts of a row's 3-grams, including linked rows. */
function spread(value: number, amounts: Float32Array, rows: Int32Array, at: number, more: Int32Array): void {
  for (let i = at; i < at + ROW - 1; i++) amounts[rows[i] as number] = (amounts[rows[i] as number] as number) + value
  const last = rows[at + ROW - 1] as number
  if (last < 0) spread(value, amounts, more, ~last * ROW, more)
  else amounts[last] = (amounts[last] as number) + value
}

/** The sum of the squared weighted amounts. It clears them, so that each counts once. */
function squared(amounts: Float32Array, weights: Float32Array, rows: Int32Array, at: number, more: Int32Array): number {
  let sum = 0
  for (let i = at; i < at + ROW; i++) {
    const gram = rows[i] as number
    if (gram < 0) return sum + squared(amounts, weights, more, ~gram * ROW, more)
    sum += ((amounts[gram] as number) * (weights[gram] as number)) ** 2
    amounts[gram] = 0
  }
  return sum
}
