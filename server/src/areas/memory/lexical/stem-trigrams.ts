import { trigramWeight, trigramWeightAt } from './prior-frequencies.ts'
import type { StemBytes } from './stem-bytes.ts'
import { SUBLINEAR, sublinear } from './sublinear.ts'
import { trigramsOf } from './tokenize.ts'
import { placeOf, placesOf } from './trigram-places.ts'
import { withRoom } from './typed-column.ts'

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
  /** From 1: rows are padded with 0, which has no weight. By place or, where it has none, by the 3-gram. */
  readonly #numbers = new Map<number | string, number>()
  #weights = new Float32Array(1)
  /** A row for each stem, which begins with 0 until it is made. `~r` in the last place means that the rest is in row `r` of `#more`. */
  #rows = new Int32Array(0)
  #more = new Int32Array(0)
  #longer = 0
  /** By 3-gram: its amount in a text or a query. */
  #amounts = new Float32Array(1)
  #present: number[] = []

  constructor(stems: Pick<StemBytes, 'bytesOf' | 'textOf'>) {
    this.#stems = stems
  }

  get bytes(): number {
    return this.#numbers.size * 80 + (this.#rows.length + this.#more.length) * 4
  }

  /** Makes the row of a stem. */
  #make(stem: number): void {
    const grams = this.#gramsOf(stem)
    this.#rows = withRoom(this.#rows, (stem + 1) * ROW)
    let rows = this.#rows
    let at = stem * ROW
    while (grams.length > ROW) {
      const first = grams.splice(0, ROW - 1)
      const next = this.#longer++
      this.#more = withRoom(this.#more, (next + 1) * ROW)
      if (rows !== this.#rows) rows = this.#more
      rows.set(first, at)
      rows[at + ROW - 1] = ~next
      rows = this.#more
      at = next * ROW
    }
    rows.set(grams, at)
    this.#amounts = withRoom(this.#amounts, this.#weights.length)
  }

  /** The numbers of the 3-grams of a stem: of most from its bytes, without making strings. */
  #gramsOf(stem: number): number[] {
    const keys = placesOf(this.#stems.bytesOf(stem)) ?? trigramsOf(this.#stems.textOf(stem)).map(keyOf)
    return keys.map((key) => this.#numberOf(key))
  }

  /** The norm of the 3-gram vector of a text with these entries (stem × 256 + frequency). */
  norm(entries: Uint32Array): number {
    for (const entry of entries) if (!this.#rows[(entry >>> 8) * ROW]) this.#make(entry >>> 8)
    this.#clear()
    const amounts = this.#amounts
    const weights = this.#weights
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
   * Returns the affinity of a stem to the 3-grams of a query with known and other stems. A text's cosine is the
   * weighted sum over its stems, divided by its norm. Valid until the next call of this or `norm`.
   */
  affinity(known: readonly CountedStem[], others: ReadonlyMap<string, number>): (stem: number) => number {
    this.#loadQuery(known, others)
    return (stem) => {
      if (!this.#rows[stem * ROW]) this.#make(stem)
      return sumOf(this.#amounts, this.#rows, stem * ROW, this.#more)
    }
  }

  /** Loads the unit vector of the query's 3-grams, times their weights. */
  #loadQuery(known: readonly CountedStem[], others: ReadonlyMap<string, number>): void {
    for (const { stem } of known) if (!this.#rows[stem * ROW]) this.#make(stem)
    this.#clear()
    for (const { stem, frequency } of known) this.#addRow(this.#rows, stem * ROW, sublinear(frequency))
    const unknownGrams = new Map<string, number>()
    for (const [stem, frequency] of others) {
      for (const gram of trigramsOf(stem)) {
        const number = this.#numbers.get(keyOf(gram))
        if (number === undefined) unknownGrams.set(gram, (unknownGrams.get(gram) ?? 0) + sublinear(frequency))
        else this.#addGram(number, sublinear(frequency))
      }
    }
    const weights = this.#weights
    let squares = 0
    for (const gram of this.#present) squares += ((this.#amounts[gram] as number) * (weights[gram] as number)) ** 2
    for (const [gram, amount] of unknownGrams) squares += (amount * trigramWeight(gram)) ** 2
    const norm = Math.sqrt(squares) || 1
    for (const gram of this.#present) {
      this.#amounts[gram] = ((this.#amounts[gram] as number) * (weights[gram] as number) ** 2) / norm
    }
  }

  #addRow(rows: Int32Array, at: number, amount: number): void {
    for (let i = at; i < at + ROW; i++) {
      const gram = rows[i] as number
      if (gram < 0) this.#addRow(this.#more, ~gram * ROW, amount)
      else if (gram) this.#addGram(gram, amount)
    }
  }

  #addGram(gram: number, amount: number): void {
    if (!this.#amounts[gram]) this.#present.push(gram)
    this.#amounts[gram] = (this.#amounts[gram] as number) + amount
  }

  #clear(): void {
    for (const gram of this.#present) this.#amounts[gram] = 0
    this.#present = []
    this.#amounts = withRoom(this.#amounts, this.#weights.length)
  }

  #numberOf(key: number | string): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#numbers.size + 1
    this.#numbers.set(key, number)
    this.#weights = withRoom(this.#weights, number + 1)
    this.#weights[number] = typeof key === 'string' ? trigramWeight(key) : trigramWeightAt(key)
    return number
  }
}

const keyOf = (gram: string): number | string => placeOf(gram) ?? gram

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
