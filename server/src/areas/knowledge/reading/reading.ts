/** The types of files that are read. */
export const MIME_TYPES = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  text: 'text/plain',
} as const
export type MimeType = (typeof MIME_TYPES)[keyof typeof MIME_TYPES]

/** The longest text that a source may hold, and the most chunks and rules. */
export const MOST_CHARACTERS = 2 * 1024 * 1024
export const MOST_ENTRIES = 20_000

/** Why a file cannot be read; the same file fails again. */
export type ReadingFailure =
  | 'unsupported-mime-detected-post-validation'
  | 'file-unreadable'
  | 'no-text'
  | 'file-too-large'
  | 'reading-timed-out'

/** A file cannot be read. */
export class ReadingError extends Error {
  override name = 'ReadingError'
  readonly reason: ReadingFailure
  constructor(reason: ReadingFailure, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/** The text of a file as Markdown. `usedRawFallback`: its structure was not understood, only its text. */
export interface Extracted {
  markdown: string
  usedRawFallback: boolean
}
