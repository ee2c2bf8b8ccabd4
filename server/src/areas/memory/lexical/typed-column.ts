/** Keeps the given flags of rows with the value, clears the others, and returns how many it kept. */
export function keepEqual(
  flags: Uint8Array,
  given: Uint8Array,
  column: Uint32Array,
  value: number,
  count: number,
): number {
  let kept = 0
  for (let row = 0; row < count; row++) {
    const flag = column[row] === value ? (given[row] as number) : 0
    flags[row] = flag
    kept += flag
  }
  return kept
}

/** The same for rows with one of the values or, if `excluded`, with none of them. */
export function keepAmong(
  flags: Uint8Array,
  given: Uint8Array,
  column: Uint32Array,
  { values, excluded }: { values: number[]; excluded: boolean },
  count: number,
): number {
  const listed = new Uint8Array(Math.max(0, ...values) + 1)
  for (const value of values) listed[value] = 1
  let kept = 0
  for (let row = 0; row < count; row++) {
    const flag = (listed[column[row] as number] === 1) === excluded ? 0 : (given[row] as number)
    flags[row] = flag
    kept += flag
  }
  return kept
}

/** The same for rows within the inclusive bounds. */
export function keepBetween(
  flags: Uint8Array,
  given: Uint8Array,
  column: Float64Array,
  { from, to }: { from: number; to: number },
  count: number,
): number {
  let kept = 0
  for (let row = 0; row < count; row++) {
    const value = column[row] as number
    const flag = value < from || value > to ? 0 : (given[row] as number)
    flags[row] = flag
    kept += flag
  }
  return kept
}

/** Counts the set flags among the first `count`. */
export function countSet(flags: Uint8Array, count: number): number {
  let total = 0
  for (let row = 0; row < count; row++) total += flags[row] as number
  return total
}

/** Counts the set flags among the first `count` where the lowest bit of `bits` is set too. */
export function countCommon(flags: Uint8Array, bits: Uint8Array, count: number): number {
  let total = 0
  for (let row = 0; row < count; row++) total += (flags[row] as number) & (bits[row] as number)
  return total
}
