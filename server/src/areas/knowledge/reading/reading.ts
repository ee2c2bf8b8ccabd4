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

/** Collects lines, and refuses more text than a source may hold. */
export class Lines {
  readonly #lines: string[] = []
  #characters = 0

  add(line: string): void {
    this.#characters += line.length + 1
    if (this.#characters > MOST_CHARACTERS) throw new ReadingError('file-too-large')
    this.#lines.push(line)
  }

  toString(): string {
    return this.#lines.join('\n')
  }
}

/** Adds a table: each row below the header becomes a list item that names its columns. */
export function addTable(lines: Lines, rows: string[][]): void {
  const [header = [], ...body] = rows.map((row) => row.map(oneLine))
  if (body.length === 0) addRow(lines, [], header)
  for (const row of body) addRow(lines, header, row)
}

function addRow(lines: Lines, header: string[], row: string[]): void {
  const cells = row.flatMap((value, column) => (value === '' ? [] : [{ value, name: header[column] ?? '' }]))
  const text =
    cells.length === 1
      ? cells[0]?.value
      : cells.map(({ name, value }) => (name ? `${name}: ${value}` : value)).join('; ')
  if (text) lines.add(`- ${text}`)
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
