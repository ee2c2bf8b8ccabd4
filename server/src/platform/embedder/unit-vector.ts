/** Returns the vector scaled to length 1; a vector of zeros stays as it is. */
export function unitVector(vector: ArrayLike<number> & Iterable<number>): Float32Array {
  const norm = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (value) => value / norm)
}
