import { createHash } from 'node:crypto'
import { addLines, type JudgmentLine } from '../../client/src/add-lines.ts'
import { type Api, PrecedentError } from '../../client/src/index.ts'
import { isObject } from './is-object.ts'

type Judgment = Parameters<Api['memory']['addJudgments']>[0]['judgments'][number]

/** An error in a line. */
export type Report = (line: number, fault: string) => void

interface ImportOptions {
  /** Adds the organizations and documents that judgments name and that do not exist. */
  create: boolean
  report: Report
}

const MOST_LINES = 1000
const MOST_BYTES = 4_000_000

/**
 * Adds each line as a judgment; reports and skips invalid ones. Returns how many were added. It can be repeated: a
 * judgment with the same id is overwritten, and a line without an id gets one derived from its content.
 */
export async function importJudgments(
  client: Api,
  lines: AsyncIterable<string>,
  options: ImportOptions,
): Promise<number> {
  const places = options.create ? placesOf(client) : undefined
  let added = 0
  for await (const chunk of chunksOf(lines, options.report)) {
    await places?.make(chunk)
    added += await addLines(client, chunk, { refuse: options.report })
  }
  return added
}

async function* chunksOf(lines: AsyncIterable<string>, report: Report): AsyncGenerator<JudgmentLine[]> {
  const idOf = recordIds()
  let chunk: JudgmentLine[] = []
  let bytes = 0
  let line = 0
  for await (const text of lines) {
    line++
    if (text.trim() === '') continue
    const judgment = parse(text)
    if (judgment === undefined) {
      report(line, 'is not a JSON object')
      continue
    }
    const own = Buffer.byteLength(text)
    if (chunk.length === MOST_LINES || (chunk.length > 0 && bytes + own > MOST_BYTES)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push({ line, judgment: { ...judgment, recordId: judgment.recordId ?? idOf(text) } })
    bytes += own
  }
  if (chunk.length > 0) yield chunk
}

function parse(text: string): Judgment | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (value as Judgment) : undefined
  } catch {
    return undefined
  }
}

/**
 * The id of a line that has none. It is the same for the same line, and differs for each repetition of the line in the
 * file.
 */
function recordIds(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const hash = createHash('sha256').update(text.trim()).digest('hex').slice(0, 32)
    const times = (seen.get(hash) ?? 0) + 1
    seen.set(hash, times)
    return times === 1 ? `act_${hash}` : `act_${hash}_${times}`
  }
}

/** Creates the organizations and documents that lines name. An error is reported for the lines that need them. */
function placesOf(client: Api) {
  const made = new Set<string>()
  const isNew = (...ids: string[]) => !made.has(JSON.stringify(ids)) && Boolean(made.add(JSON.stringify(ids)))

  async function makeDocuments(organizationId: string, judgments: Judgment[]): Promise<void> {
    const own = judgments.filter((judgment) => judgment.organizationId === organizationId)
    const ids = own.flatMap(({ documentId }) => documentId ?? []).filter((id) => isNew(organizationId, id))
    await tolerant(ids, (some) =>
      client.documents.addDocuments({ organizationId, documents: some.map((documentId) => ({ documentId })) }),
    )
  }

  return {
    async make(lines: JudgmentLine[]): Promise<void> {
      const judgments = lines.map(({ judgment }) => judgment)
      const ids = judgments.flatMap(({ organizationId }) => organizationId ?? [])
      await tolerant(
        ids.filter((id) => isNew(id)),
        (some) =>
          client.organizations.addOrganizations({ organizations: some.map((organizationId) => ({ organizationId })) }),
      )
      for (const organizationId of new Set(ids)) await makeDocuments(organizationId, judgments)
    },
  }
}

async function tolerant<Each>(items: Each[], send: (items: Each[]) => Promise<unknown>): Promise<void> {
  if (items.length === 0) return
  try {
    await send(items)
  } catch (error) {
    if (!(error instanceof PrecedentError) || !['INVALID_ARGUMENT', 'NOT_FOUND'].includes(error.status)) throw error
    // One invalid id fails the whole request. Sent alone, it fails only itself.
    if (items.length > 1) for (const item of items) await tolerant([item], send)
  }
}
