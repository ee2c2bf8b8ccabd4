import type { JudgmentTable } from '../lexical/judgment-table.ts'
import type { RowFilter } from '../lexical/row-filter.ts'
import { withRoom } from '../lexical/typed-column.ts'

/** The places of what a filter admits. */
export interface AdmittedPlaces {
  /** A flag for each place. */
  readonly flags: Uint8Array
  /** How many are set. */
  readonly count: number
  /** Those in their order, where the filter lists its rows. */
  readonly listed?: Uint32Array
}

/** Which row of a table each place of a column belongs to. Keys have been told, and rows learnt, in any order. */
export class RowMap {
  #table: JudgmentTable | undefined
  /** Rows of the table that have been learnt. */
  #learnt = 0
  #rows = new Uint32Array(0)
  /** By row the place that it got: it has it still if that place has the row. */
  #places = new Uint32Array(0)

  /** A key got the place. */
  put(place: number, key: string): void {
    this.#rows = withRoom(this.#rows, place + 1)
    this.#link(place, this.#table?.rowOf(key) ?? NO_ROW)
  }

  /** The key of the place was removed. */
  remove(place: number): void {
    this.#rows[place] = NO_ROW
  }

  /** Learns at most so many rows more of the table; false while there are others. */
  align(table: JudgmentTable, places: ReadonlyMap<string, number>, most: number): boolean {
    if (table !== this.#table) {
      this.#table = table
      this.#learnt = 0
      this.#rows.fill(NO_ROW)
    }
    const end = Math.min(table.count, this.#learnt + most)
    for (; this.#learnt < end; this.#learnt++) {
      const place = places.get(table.recordIds[this.#learnt] as string)
      if (place !== undefined) this.#link(place, this.#learnt)
    }
    return end === table.count
  }

  /** Of the first `count` places those whose rows are admitted. */
  admitted({ flags, rows }: RowFilter, count: number): AdmittedPlaces {
    const admitted = new Uint8Array(count)
    if (rows) {
      const known = rows.filter((row) => this.#hasPlace(row))
      const listed = known.map((row) => this.#places[row] as number).sort()
      for (const place of listed) admitted[place] = 1
      return { flags: admitted, count: listed.length, listed }
    }
    const rowsOf = this.#rows
    let set = 0
    for (let place = 0; place < count; place++) {
      const row = rowsOf[place] as number
      const flag = row === NO_ROW ? 0 : (flags[row] as number)
      admitted[place] = flag
      set += flag
    }
    return { flags: admitted, count: set }
  }

  #hasPlace(row: number): boolean {
    return row < this.#places.length && this.#rows[this.#places[row] as number] === row
  }

  #link(place: number, row: number): void {
    this.#rows[place] = row
    if (row === NO_ROW) return
    this.#places = withRoom(this.#places, row + 1)
    this.#places[row] = place
  }
}

/** A row that no table has. */
const NO_ROW = 0xffff_ffff
