import { type PackedStrings, StemBytes } from '../words/stem-bytes.ts'
import { withRoom } from '../words/with-room.ts'

const NO_ROW = 0xffff_ffff
/** The ids of judgments are UUIDs. */
const UUID_LENGTH = 36

/**
 * The ids of rows, and the row of each id: the latest that was added with it, unless it was removed. Ids are kept and
 * found like stems: a map of strings takes much longer to make. Two of a million ids have the same hash with a chance of
 * one in 30 million; the earlier judgment would then not be found by searches.
 */
export class RecordIds {
  /** Each id once, as bytes. */
  readonly #ids = new StemBytes()
  /** By row: the number of its id. */
  #numbers = new Uint32Array(0)
  /** By the number of an id: its row. */
  #rows = new Uint32Array(0)
  /** How many rows there are. */
  count = 0
  /** How many ids have a row. */
  live = 0

  get bytes(): number {
    return this.#ids.bytes + (this.#numbers.length + this.#rows.length) * 4
  }

  /** Makes room at once for as many rows. */
  expect(rows: number): void {
    this.#ids.expect(rows, rows * UUID_LENGTH)
    this.#numbers = withRoom(this.#numbers, rows)
  }

  /** Adds a row; returns it. */
  add(id: string): number {
    const number = this.#ids.idOf(id)
    this.#reserve(1)
    return this.#link(number)
  }

  /** Adds rows whose ids differ. */
  addMany(ids: PackedStrings): void {
    const numbers = new Uint32Array(ids.ends.length)
    this.#ids.idsOf(ids, numbers, 0, numbers.length)
    this.#reserve(numbers.length)
    for (let i = 0; i < numbers.length; i++) this.#link(numbers[i] as number)
  }

  #reserve(rows: number): void {
    this.#numbers = withRoom(this.#numbers, this.count + rows)
    const known = this.#rows.length
    this.#rows = withRoom(this.#rows, this.#ids.size)
    this.#rows.fill(NO_ROW, known)
  }

  /** Makes the next row that of the id. */
  #link(number: number): number {
    const row = this.count++
    this.#numbers[row] = number
    if (this.#rows[number] === NO_ROW) this.live++
    this.#rows[number] = row
    return row
  }

  idOf(row: number): string {
    return this.#ids.textOf(this.#numbers[row] as number)
  }

  rowOf(id: string): number | undefined {
    const row = this.#rows[this.#ids.find(id) ?? -1]
    return row === NO_ROW ? undefined : row
  }

  /** Takes the row from an id; returns it. */
  remove(id: string): number | undefined {
    const number = this.#ids.find(id)
    const row = number === undefined ? undefined : this.#rows[number]
    if (number === undefined || row === undefined || row === NO_ROW) return undefined
    this.#rows[number] = NO_ROW
    this.live--
    return row
  }
}
