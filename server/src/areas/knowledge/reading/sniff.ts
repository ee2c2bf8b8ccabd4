import { MIME_TYPES, type MimeType } from './reading.ts'

const SNIFFED_BYTES = 8_192

/** How PDF and RTF begin. They may hold no NUL in their first bytes, as other formats do. */
const NO_TEXT = ['%PDF-', '{\\rtf'].map((head) => Buffer.from(head))

/** Whether a file begins like one of its type. The reader finds out the rest. */
export function looksLike(mimeType: MimeType, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, SNIFFED_BYTES))
  switch (mimeType) {
    case MIME_TYPES.pdf:
      return head.subarray(0, 1024).includes('%PDF-')
    case MIME_TYPES.xlsx:
      return head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))
    default: {
      const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
      return isUtf16 || !(head.includes(0) || NO_TEXT.some((start) => head.subarray(0, start.length).equals(start)))
    }
  }
}
