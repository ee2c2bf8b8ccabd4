type Column = Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array

/** Returns the array if it holds `length` elements, else a larger copy with room to grow. */
export function withRoom<T extends Column>(array: T, length: number): T {
  if (array.length >= length) return array
  const Constructor = array.constructor as new (length: number) => T
  const grown = new Constructor(Math.max(length, Math.ceil(array.length * 1.5), 64))
  grown.set(array as never)
  return grown
}
