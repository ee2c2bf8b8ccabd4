import { MIME_TYPES, type MimeType } from './reading.ts'

const SNIFFED_BYTES = 8_192

/** How PDF and RTF begin. They may hold no NUL in their first bytes, as other formats do. */
const NO_TEXT = ['%PDF-', '{\\rtf'].map((head) => Buffer.from(head))

/** The encoding that a byte order mark of UTF-16 names. */
export function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** Whether a file begins like one of its type. The reader finds out the rest. */
export function looksLike(mimeType: MimeType, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, SNIFFED_BYTES))
  switch (mimeType) {
    case MIME_TYPES.pdf:
      return head.subarray(0, 1024).includes('%PDF-')
    case MIME_TYPES.xlsx:
      return head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))
    default:
      if (utf16Of(head)) return true
      return !(head.includes(0) || NO_TEXT.some((start) => head.subarray(0, start.length).equals(start)))
  }
}
