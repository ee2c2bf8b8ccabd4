import { parse } from 'csv-parse/sync'
import { Lines } from './lines.ts'
import { type Extracted, MOST_CHARACTERS, ReadingError } from './reading.ts'
import { utf16Of } from './sniff.ts'

/** Reads a plain text as it is. */
export function readText(bytes: Uint8Array): Extracted {
  return { markdown: decoded(bytes), usedRawFallback: false }
}

/** Reads a table with commas, semicolons or tabs. What is no table is read as plain text. */
export function readCsv(bytes: Uint8Array): Extracted {
  const whole = decoded(bytes)
  const [firstLine = '', named] = NAMES_DELIMITER.exec(whole) ?? []
  const text = whole.slice(firstLine.length)
  try {
    const rows: string[][] = parse(text, {
      delimiter: named ?? delimiterOf(text),
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    })
    const lines = new Lines()
    lines.addTable(rows)
    return { markdown: lines.toString(), usedRawFallback: false }
  } catch (error) {
    if (error instanceof ReadingError) throw error
    return { markdown: text, usedRawFallback: true }
  }
}

/** A first line by which a file tells Excel what separates its fields. */
const NAMES_DELIMITER = /^sep=(.)\r?\n/i

/** UTF-8, UTF-16 with its mark, or else the encoding of old Windows programs. */
function decoded(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  const text = utf16
    ? new TextDecoder(utf16).decode(bytes)
    : (validUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes))
  if (text.includes('\u0000')) throw new ReadingError('unsupported-mime-detected-post-validation')
  if (text.length > MOST_CHARACTERS) throw new ReadingError('file-too-large')
  return text.toWellFormed()
}

function validUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function delimiterOf(text: string): string {
  const [first = ''] = text.slice(0, 10_000).split('\n', 1)
  const count = (mark: string) => first.split(mark).length
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}
