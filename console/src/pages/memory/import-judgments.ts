import { type Api, PrecedentError } from '../../../../client/src/index.ts'
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

interface Line {
  line: number
  judgment: Judgment & { recordId: string }
  bytes: number
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
  let batch: Line[] = []
  let bytes = 0
  let lines = 0
  const send = async () => {
    if (batch.length > 0) progress.added += await addAll({ api, place, signal, refuse }, batch)
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
      batch.push({ line, judgment: { ...judgment, recordId }, bytes: text.length })
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

/** What sending a batch needs besides its lines. */
interface Sending extends Pick<Import, 'api' | 'place' | 'signal'> {
  refuse: (line: number, reason: string) => void
}

/** Adds a batch, and refuses the lines that the service does not take. Returns how many were added. */
async function addAll(sending: Sending, batch: Line[]): Promise<number> {
  const { api, place, signal, refuse } = sending
  try {
    const { results } = await api.memory.addJudgments(
      { ...place, judgments: batch.map(({ judgment }) => judgment) },
      { signal },
    )
    const refused = batch.filter(({ judgment }) => !results[judgment.recordId]?.success)
    for (const { line, judgment } of refused) refuse(line, results[judgment.recordId]?.message ?? '')
    return batch.length - refused.length
  } catch (error) {
    if (error instanceof PrecedentError && error.httpStatus === 413) return addHalves(sending, batch, error)
    return addValid(sending, batch, error)
  }
}

/** Sends a batch that is too large in halves. A judgment that is too large by itself is refused. */
async function addHalves(sending: Sending, batch: Line[], { message }: PrecedentError): Promise<number> {
  const middle = Math.floor(batch.length / 2)
  if (middle === 0) {
    for (const { line } of batch) sending.refuse(line, message)
    return 0
  }
  return (await addAll(sending, batch.slice(0, middle))) + (await addAll(sending, batch.slice(middle)))
}

/** Sends a batch without the judgments that an error finds invalid. Throws the error if it names none. */
async function addValid(sending: Sending, batch: Line[], error: unknown): Promise<number> {
  const invalid = invalidItems(error)
  if (invalid.size === 0) throw error
  for (const [index, reason] of invalid) sending.refuse(batch[index]?.line ?? 0, reason)
  const rest = batch.filter((_, index) => !invalid.has(index))
  return rest.length === 0 ? 0 : addAll(sending, rest)
}

/** The items that an error finds invalid, by position, with the field and its rule. */
function invalidItems(error: unknown): Map<number, string> {
  const issues = error instanceof PrecedentError ? (error.details?.issues ?? []) : []
  return new Map(
    issues.flatMap(({ path, message }): [number, string][] => {
      const [, index, field = ''] = /^judgments\[(\d+)\]\.?(.*)$/.exec(path) ?? []
      return index === undefined ? [] : [[Number(index), `${field} ${message}`.trim()]]
    }),
  )
}
