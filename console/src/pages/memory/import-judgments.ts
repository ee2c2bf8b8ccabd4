import { addLines, type JudgmentLine } from '../../../../client/src/add-lines.ts'
import type { Api } from '../../../../client/src/index.ts'
import { t } from '../../strings.ts'
import { linesOf } from './lines-of-file.ts'
import { recordIds } from './record-ids.ts'

type Judgment = Parameters<Api['memory']['addJudgments']>[0]['judgments'][number]

/** A line of the file that was not taken, and why. */
export interface Refused {
  line: number
  reason: string
}

export interface Progress {
  /** Bytes of the file that were read, of `size`. */
  read: number
  size: number
  added: number
  refused: number
  /** The first lines that were refused. */
  examples: Refused[]
}

/** A request holds at most so many judgments, and so many bytes of them. */
const MAX_ITEMS = 200
const MAX_BYTES = 256 * 1024
const MAX_EXAMPLES = 20

interface Import {
  api: Api
  file: File
  /** Where judgments belong that name no place. */
  place: { organizationId?: string; documentId?: string }
  tell: (progress: Progress) => void
  signal: AbortSignal
}

/**
 * Adds the judgments of a file of JSON lines, or of CSV if its name says so, in batches. A line that is refused does
 * not keep the others out. It can be repeated: a judgment with the same `recordId` is overwritten, and one without gets
 * one that is made of its line.
 */
export async function importJudgments({ api, file, place, tell, signal }: Import): Promise<Progress> {
  const progress: Progress = { read: 0, size: file.size, added: 0, refused: 0, examples: [] }
  const refuse = (line: number, reason: string) => {
    progress.refused += 1
    if (progress.examples.length < MAX_EXAMPLES) progress.examples.push({ line, reason })
  }
  // Loaded when needed: the library is as large as the page.
  const reader = /\.csv$/i.test(file.name) ? (await import('./csv-judgments.ts')).csvReader() : JSON_LINES
  const idOf = recordIds()
  let batch: JudgmentLine[] = []
  let bytes = 0
  let lines = 0
  const send = async () => {
    progress.added += await addLines(api, batch, { place, refuse, options: { signal } })
    batch = []
    bytes = 0
    tell({ ...progress, examples: [...progress.examples] })
  }
  for await (const { text, line, read } of linesOf(file)) {
    signal.throwIfAborted()
    progress.read = read
    lines = line
    bytes += text.length
    const found = reader.read(text)
    if (typeof found === 'object') {
      // The service says what it lacks to be a judgment. A row of a CSV file may have several lines.
      const judgment = found as Judgment
      const recordId = judgment.recordId ?? (await idOf(reader === JSON_LINES ? text : JSON.stringify(found)))
      batch.push({ line, judgment: { ...judgment, recordId } })
    } else if (found !== undefined) refuse(line, found)
    if (batch.length >= MAX_ITEMS || bytes >= MAX_BYTES) await send()
  }
  if (reader.isOpen()) refuse(lines, t.import.quoteOpen)
  progress.read = file.size
  await send()
  return progress
}

/** Reads a line each: undefined where it is empty, a sentence where it is refused. */
const JSON_LINES = {
  isOpen: () => false,
  read(text: string): object | string | undefined {
    if (text.trim() === '') return undefined
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : t.import.noObject
    } catch {
      return t.import.noObject
    }
  },
}
