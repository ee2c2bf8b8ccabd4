/** The vector, if it says anything: a model that knows nothing of a text answers zeros. */
export const tellingVector = (vector: Float32Array | null | undefined): Float32Array | null =>
  vector?.some((value) => value !== 0) ? vector : null
