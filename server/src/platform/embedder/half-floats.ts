/** Numbers of 16 bits (IEEE 754 binary16), given as bits, as 32-bit floats. */
export function fromHalfFloats(bits: Uint16Array): Float32Array {
  return Float32Array.from(bits, fromHalfFloat)
}

function fromHalfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
