import { basename } from 'node:path'

/** In the file format: an entry with the key `location` (field 1), whose value (field 2) follows with its length. */
const LOCATION = Buffer.from([0x0a, 8, ...Buffer.from('location'), 0x12])

/**
 * The names of the files that hold weights of a model, as `model.onnx` gives them. Models of more than 2 GB need them,
 * because a file of protocol buffers cannot be larger. Throws if one does not lie beside the model.
 */
export function externalDataFiles(model: Buffer): string[] {
  const names = new Set<string>()
  for (let at = model.indexOf(LOCATION); at >= 0; at = model.indexOf(LOCATION, at + 1)) {
    const { value: length, end } = varint(model, at + LOCATION.length)
    names.add(model.toString('utf8', end, end + length))
  }
  for (const name of names) {
    if (name === '' || name === '..' || basename(name) !== name) {
      throw new Error('EMBEDDER_MODEL has a model.onnx with weights outside of its directory.')
    }
  }
  return [...names].sort()
}

/** A number of the file format: seven bits in each byte, the lowest first. */
function varint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let end = start
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = bytes[end++] ?? 0
    value |= (byte & 127) << shift
    if (byte < 128) break
  }
  return { value, end }
}
