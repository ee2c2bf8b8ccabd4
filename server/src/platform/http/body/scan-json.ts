import { invalidField } from '../../errors.ts'

/** How deep values may nest below the body itself, which holds `data`. */
export const MAX_DEPTH = 100

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const SPACE = 0x20

/**
 * Refuses JSON text (RFC 8259, as UTF-8 bytes) that nests too deep or holds too many values, with INVALID_ARGUMENT. It
 * takes a few milliseconds for 5 MiB: parsing such text would hold the process for a hundred times as long. It does not
 * check that the text is JSON.
 */
export function scanJson(bytes: Uint8Array, maxValues: number): void {
  let depth = 0
  // Members and elements are counted by what separates them: commas, and one for each container that is not empty.
  let values = 1
  let isOpened = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte <= SPACE) continue
    if (isOpened && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT) values++
    isOpened = false
    if (byte === QUOTE) {
      i = endOfString(bytes, i)
    } else if (byte === COMMA) {
      values++
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      isOpened = true
      depth++
      if (depth > MAX_DEPTH + 1) throw invalidField('', `the body must not nest deeper than ${MAX_DEPTH} levels`)
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth--
    }
    if (values > maxValues) throw invalidField('', `the body must hold at most ${maxValues} values`)
  }
}

/**
 * The position of the quote that ends the string that begins at `start`; the end of the bytes where none does. Native
 * code searches up to the first escaped quote: a call for each of millions of them takes ten times as long as the rest.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(QUOTE, start + 1)
  if (end === -1) return bytes.length
  let escapes = 0
  while (bytes[end - 1 - escapes] === BACKSLASH) escapes++
  if (escapes % 2 === 0) return end
  for (let i = end + 1; i < bytes.length; i++) {
    if (bytes[i] === QUOTE) return i
    if (bytes[i] === BACKSLASH) i++
  }
  return bytes.length
}
