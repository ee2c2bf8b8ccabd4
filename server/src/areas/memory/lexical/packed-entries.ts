/**
 * Packs entries (stem × 256 + frequency): of each the stem × 2, plus 1 if it occurs more than once, in groups of seven
 * bits (LEB128), and then its frequency. Most take two bytes.
 */
export function packEntries(texts: readonly Uint32Array[]): Uint8Array {
  const count = texts.reduce((sum, { length }) => sum + length, 0)
  const bytes = new Uint8Array(count * MOST_BYTES)
  let at = 0
  for (const entries of texts) {
    for (const entry of entries) {
      const frequency = entry & 255
      let rest = (entry >>> 8) * 2 + Number(frequency > 1)
      for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128
      bytes[at++] = rest
      if (frequency > 1) bytes[at++] = frequency
    }
  }
  return bytes.slice(0, at)
}

/** A stem has at most 24 bits. */
const MOST_BYTES = 5

/** Entries are read from here on. */
export interface EntryCursor {
  readonly bytes: Uint8Array
  at: number
}

/** Reads the next `count` entries, and counts the occurrences of their stems. */
export function unpackEntries(cursor: EntryCursor, count: number, occurrences: Uint32Array): Uint32Array<ArrayBuffer> {
  const { bytes } = cursor
  const entries = new Uint32Array(count)
  let at = cursor.at
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] as number
    let value = byte & 127
    for (let bits = 7; byte > 127; bits += 7) {
      byte = bytes[at++] as number
      value |= (byte & 127) << bits
    }
    const stem = value >>> 1
    entries[i] = stem * 256 + (value & 1 ? (bytes[at++] as number) : 1)
    occurrences[stem] = (occurrences[stem] as number) + 1
  }
  cursor.at = at
  return entries
}
