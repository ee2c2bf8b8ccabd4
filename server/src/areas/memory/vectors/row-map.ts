import type { JudgmentTable } from '../lexical/judgment-table.ts'
import type { RowFilter } from '../lexical/row-filter.ts'
import { withRoom } from '../words/with-room.ts'

/** The places that a filter admits. */
export interface AdmittedPlaces {
  /** One flag per place. */
  readonly flags: Uint8Array
  /** How many are set. */
  readonly count: number
  /** The set places in ascending order, if the filter lists its rows. */
  readonly listed?: Uint32Array
}

/** Maps the places of a vector column to the rows of a table. Keys and rows may be added in any order. */
export class RowMap {
  #table: JudgmentTable | undefined
  /** Rows of the table that are mapped so far. */
  #learnt = 0
  #rows = new Uint32Array(0)
  /** By row: the place that it was given. It is valid if that place maps to the row. */
  #places = new Uint32Array(0)
  /** How often a place has got or lost its row. */
  #changes = 0
  /** By flags that stand: the places that they admit, and the state of rows and places at that time. */
  readonly #standing = new WeakMap<Uint8Array, { state: string; places: AdmittedPlaces }>()

  /** Assigns a key to the place. */
  put(place: number, key: string): void {
    this.#rows = withRoom(this.#rows, place + 1)
    this.#link(place, this.#table?.rowOf(key) ?? NO_ROW)
  }

  /** Frees the place. */
  remove(place: number): void {
    this.#rows[place] = NO_ROW
    this.#changes++
  }

  /** Maps at most `most` further rows of the table; false if more are left. */
  align(table: JudgmentTable, places: ReadonlyMap<string, number>, most: number): boolean {
    if (table !== this.#table) {
      this.#table = table
      this.#learnt = 0
      this.#rows.fill(NO_ROW)
      this.#changes++
    }
    const end = Math.min(table.count, this.#learnt + most)
    for (; this.#learnt < end; this.#learnt++) {
      const place = places.get(table.keyAt(this.#learnt))
      if (place !== undefined) this.#link(place, this.#learnt)
    }
    return end === table.count
  }

  /**
   * The first `count` places whose rows pass the filter. While neither rows nor places change, filters that stand share
   * their flags. So a caller may clear only the flag of a place that is removed.
   */
  admitted({ flags, rows, isStanding }: RowFilter, count: number): AdmittedPlaces {
    if (rows) return this.#listed(rows, count)
    if (!isStanding) return this.#scanned(flags, count)
    const state = [count, this.#changes, this.#table?.count, this.#table?.live].join()
    const known = this.#standing.get(flags)
    if (known?.state === state) return known.places
    const places = this.#scanned(flags, count)
    this.#standing.set(flags, { state, places })
    return places
  }

  #listed(rows: Uint32Array, count: number): AdmittedPlaces {
    const flags = new Uint8Array(count)
    const known = rows.filter((row) => this.#hasPlace(row))
    const listed = known.map((row) => this.#places[row] as number).sort()
    for (const place of listed) flags[place] = 1
    return { flags, count: listed.length, listed }
  }

  #scanned(flags: Uint8Array, count: number): AdmittedPlaces {
    const admitted = new Uint8Array(count)
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
    this.#changes++
    if (row === NO_ROW) return
    this.#places = withRoom(this.#places, row + 1)
    this.#places[row] = place
  }
}

/** No table has this row. */
const NO_ROW = 0xffff_ffff
