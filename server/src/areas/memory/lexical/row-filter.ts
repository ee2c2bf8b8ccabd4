import type { DictionaryColumn } from './dictionary-column.ts'
import { keepAmong, keepBetween, keepEqual } from './typed-column.ts'

/** Which judgments may be found. */
export interface RowFilter {
  /** One flag for each row. */
  readonly flags: Uint8Array
  /** How many are set. */
  readonly count: number
  /** Those, the latest first, where they are so few that they were listed. */
  readonly rows?: Uint32Array
}

/** What is asked of a row. */
export interface Condition {
  admits(row: number): boolean
  /** Sets those of the given flags that are of rows it admits, and answers how many. */
  keep(flags: Uint8Array, given: Uint8Array, count: number): number
  /** How many rows it admits and which, the latest first, where that is known without looking at all. */
  readonly listed?: { readonly count: number; rows(): Uint32Array }
}

export const isEqual = (column: DictionaryColumn, value: number): Condition => ({
  admits: (row) => column.values[row] === value,
  keep: (flags, given, count) => keepEqual(flags, given, column.values, value, count),
  listed: { count: column.countOf(value), rows: () => column.rowsOf(value) },
})

export function isAmong(column: DictionaryColumn, values: ReadonlySet<number>): Condition {
  const list = [...values]
  return {
    admits: (row) => values.has(column.values[row] as number),
    keep: (flags, given, count) => keepAmong(flags, given, column.values, { values: list, excluded: false }, count),
    listed: {
      count: list.reduce((sum, value) => sum + column.countOf(value), 0),
      rows: () => Uint32Array.from(list.flatMap((value) => [...column.rowsOf(value)]).sort((a, b) => b - a)),
    },
  }
}

export const isNotAmong = (column: DictionaryColumn, values: ReadonlySet<number>): Condition => ({
  admits: (row) => !values.has(column.values[row] as number),
  keep: (flags, given, count) => keepAmong(flags, given, column.values, { values: [...values], excluded: true }, count),
})

/** Bounds are inclusive. */
export const isBetween = (column: Float64Array, { from, to }: { from: number; to: number }): Condition => ({
  admits: (row) => (column[row] as number) >= from && (column[row] as number) <= to,
  keep: (flags, given, count) => keepBetween(flags, given, column, { from, to }, count),
})
