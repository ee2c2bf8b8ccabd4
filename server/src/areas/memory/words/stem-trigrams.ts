import type { Language } from './languages.ts'
import { trigramWeights } from './prior-frequencies.ts'
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
  /**
   * A row for each stem, which begins with 0 until it is made. It is padded with 0, which has no weight. `~r` in the
   * last place means that the rest is in row `r` of `#more`.
   */
  #rows = new Int32Array(0)
  #more = new Int32Array(0)
  #longer = 0

  constructor(stems: Pick<StemBytes, 'bytesOf' | 'textOf'>) {
    this.#stems = stems
  }

  get bytes(): number {
    return (this.#rows.length + this.#more.length) * 4
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

  /**
   * The places of the 3-grams of a stem, to be read before the next call: of most from bytes, without making strings.
   */
  #gramsOf(stem: number): ArrayLike<number> {
    return placesOf(this.#stems.bytesOf(stem)) ?? trigramsOf(this.#stems.textOf(stem)).map(placeOf)
  }

  /** The norm of the 3-gram vector of a text of a language with these entries (stem × 256 + frequency). */
  norm(entries: Uint32Array, language: Language): number {
    for (const entry of entries) if (!this.#rows[(entry >>> 8) * ROW]) this.#make(entry >>> 8)
    clear()
    const weights = trigramWeights(language)
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
   * Returns the affinity of a stem to the 3-grams of a query with known and other stems. The cosine of a text of the
   * same language is the weighted sum over its stems, divided by its norm; that of others is about as much. Valid until
   * the next call of this or `norm`, of any index.
   */
  affinity(
    known: readonly CountedStem[],
    others: ReadonlyMap<string, number>,
    language: Language,
  ): (stem: number) => number {
    this.#loadQuery(known, others, trigramWeights(language))
    return (stem) => {
      if (!this.#rows[stem * ROW]) this.#make(stem)
      return sumOf(amounts, this.#rows, stem * ROW, this.#more)
    }
  }

  /** Loads the unit vector of the query's 3-grams, times their weights. */
  #loadQuery(known: readonly CountedStem[], others: ReadonlyMap<string, number>, weights: Float32Array): void {
    for (const { stem } of known) if (!this.#rows[stem * ROW]) this.#make(stem)
    clear()
    const add = (gram: number, amount: number) => {
      if (!amounts[gram]) present.push(gram)
      amounts[gram] = (amounts[gram] as number) + amount
    }
    for (const { stem, frequency } of known) this.#eachGram(this.#rows, stem * ROW, sublinear(frequency), add)
    for (const [stem, frequency] of others) {
      for (const gram of trigramsOf(stem)) add(placeOf(gram), sublinear(frequency))
    }
    let squares = 0
    for (const gram of present) squares += ((amounts[gram] as number) * (weights[gram] as number)) ** 2
    const norm = Math.sqrt(squares) || 1
    for (const gram of present) amounts[gram] = ((amounts[gram] as number) * (weights[gram] as number) ** 2) / norm
  }

  #eachGram(rows: Int32Array, at: number, amount: number, add: (gram: number, amount: number) => void): void {
    for (let i = at; i < at + ROW; i++) {
      const gram = rows[i] as number
      if (gram < 0) this.#eachGram(this.#more, ~gram * ROW, amount, add)
      else if (gram) add(gram, amount)
    }
  }
}

/** By the place of a 3-gram: its amount in a text or a query. All indexes of the process share it: most are smaller. */
const amounts = new Float32Array(PLACES)
/** The 3-grams of a query, which have amounts. */
let present: number[] = []

function clear(): void {
  for (const gram of present) amounts[gram] = 0
  present = []
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
