const HEADER_BYTES = 20
const ELEMENT_BYTES = 8

/** Parses what `array_send` makes of a `real[]`: after the header, each element has its length and its value. */
export function fromSent(sent: Uint8Array): Float32Array {
  const view = new DataView(sent.buffer, sent.byteOffset, sent.byteLength)
  const vector = new Float32Array((sent.byteLength - HEADER_BYTES) / ELEMENT_BYTES)
  for (let i = 0; i < vector.length; i++) vector[i] = view.getFloat32(HEADER_BYTES + i * ELEMENT_BYTES + 4)
  return vector
}
