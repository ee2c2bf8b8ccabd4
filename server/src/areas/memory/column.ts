type Column = Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array

/** The array itself if it holds `length` elements, else a larger copy with room to grow. */
export function withRoom<T extends Column>(array: T, length: number): T {
  if (array.length >= length) return array
  const Constructor = array.constructor as new (length: number) => T
  const grown = new Constructor(Math.max(length, Math.ceil(array.length * 1.5), 64))
  grown.set(array as never)
  return grown
}

/** Clears the flags of rows of another value. */
export function keepEqual(flags: Uint8Array, column: Uint32Array, value: number, count: number): void {
  for (let row = 0; row < count; row++) if (column[row] !== value) flags[row] = 0
}

/** Clears the flags of rows of another value than these, or, where they are `excluded`, of these. */
export function keepAmong(
  flags: Uint8Array,
  column: Uint32Array,
  values: number[],
  excluded: boolean,
  count: number,
): void {
  const listed = new Uint8Array(Math.max(0, ...values) + 1)
  for (const value of values) listed[value] = 1
  for (let row = 0; row < count; row++) if ((listed[column[row] as number] === 1) === excluded) flags[row] = 0
}

/** Clears the flags of rows outside the bounds, which are inclusive. */
export function keepBetween(flags: Uint8Array, column: Float64Array, from: number, to: number, count: number): void {
  for (let row = 0; row < count; row++) {
    const value = column[row] as number
    if (value < from || value > to) flags[row] = 0
  }
}

/** How many of the first `count` flags are set. */
export function countSet(flags: Uint8Array, count: number): number {
  let total = 0
  for (let row = 0; row < count; row++) total += flags[row] as number
  return total
}

/** How many of the first `count` flags are set where the last bit of the other array is. */
export function countCommon(flags: Uint8Array, bits: Uint8Array, count: number): number {
  let total = 0
  for (let row = 0; row < count; row++) total += (flags[row] as number) & (bits[row] as number)
  return total
}
