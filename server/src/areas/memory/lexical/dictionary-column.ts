import { withRoom } from '../words/with-room.ts'

/**
 * A column of numbers that stand for values, with the rows of each number. Each row links to the previous row with the
 * same number.
 */
export class DictionaryColumn {
  /** By row. */
  values = new Uint32Array(0)
  /** By row: the previous row with the same number, counted from 1; 0: none. */
  #before = new Uint32Array(0)
  /** By number: its latest row, counted from 1, and its number of rows. */
  #latest = new Uint32Array(0)
  #counts = new Uint32Array(0)

  /** Rows are added in ascending order. */
  add(row: number, number: number): void {
    this.#reserve(row, number)
    this.#put(row, number)
  }

  /** Adds a row for each place, with the number that stands there. */
  addMany(first: number, numbers: Uint32Array, places: Uint32Array): void {
    this.#reserve(
      first + places.length,
      numbers.reduce((most, number) => Math.max(most, number), 0),
    )
    for (let i = 0; i < places.length; i++) this.#put(first + i, numbers[places[i] as number] as number)
  }

  #reserve(row: number, number: number): void {
    this.values = withRoom(this.values, row + 1)
    this.#before = withRoom(this.#before, row + 1)
    this.#latest = withRoom(this.#latest, number + 1)
    this.#counts = withRoom(this.#counts, number + 1)
  }

  #put(row: number, number: number): void {
    this.values[row] = number
    this.#before[row] = this.#latest[number] as number
    this.#latest[number] = row + 1
    this.#counts[number] = (this.#counts[number] as number) + 1
  }

  countOf(number: number): number {
    return this.#counts[number] ?? 0
  }

  /** The latest first. */
  rowsOf(number: number): Uint32Array {
    const rows = new Uint32Array(this.countOf(number))
    let next = this.#latest[number] as number
    for (let i = 0; i < rows.length; i++) {
      rows[i] = next - 1
      next = this.#before[next - 1] as number
    }
    return rows
  }
}
