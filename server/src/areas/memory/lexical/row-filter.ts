import type { DictionaryColumn } from './dictionary-column.ts'
import { keepAmong, keepBetween, keepEqual } from './typed-column.ts'

/** The rows that may be found. */
export interface RowFilter {
  /** One flag for each row. */
  readonly flags: Uint8Array
  /** How many are set. */
  readonly count: number
  /** The set rows, the latest first, if they are so few that they were listed. */
  readonly rows?: Uint32Array
  /** True for flags of the table itself, which change only with its rows; others are reused by the next filter. */
  readonly isStanding?: boolean
}

/** A condition on a row. */
export interface Condition {
  admits(row: number): boolean
  /** Keeps the given flags of rows that it admits, clears the others, and returns how many it kept. */
  keep(flags: Uint8Array, given: Uint8Array, count: number): number
  /** The number of admitted rows and the rows, the latest first, if known without a scan. */
  readonly listed?: { readonly count: number; rows(): Uint32Array }
}

/** Admits the rows with a value. */
export const isEqual = (column: DictionaryColumn, value: number): Condition => ({
  admits: (row) => column.values[row] === value,
  keep: (flags, given, count) => keepEqual(flags, given, column.values, value, count),
  listed: { count: column.countOf(value), rows: () => column.rowsOf(value) },
})

/** Admits the rows with one of the values. */
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

/** Admits the rows with none of the values. */
export const isNotAmong = (column: DictionaryColumn, values: ReadonlySet<number>): Condition => ({
  admits: (row) => !values.has(column.values[row] as number),
  keep: (flags, given, count) => keepAmong(flags, given, column.values, { values: [...values], excluded: true }, count),
})

/** Bounds are inclusive. */
export const isBetween = (column: Float64Array, { from, to }: { from: number; to: number }): Condition => ({
  admits: (row) => (column[row] as number) >= from && (column[row] as number) <= to,
  keep: (flags, given, count) => keepBetween(flags, given, column, { from, to }, count),
})
