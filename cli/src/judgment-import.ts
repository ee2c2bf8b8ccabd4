import { createHash } from 'node:crypto'
import { type Api, PrecedentError } from '../../client/src/index.ts'
import { isObject } from './is-object.ts'

type Item = Parameters<Api['memory']['addJudgments']>[0]['judgments'][number]

interface Line {
  number: number
  item: Item & { recordId: string }
  bytes: number
}

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
    added += await add(client, chunk, options.report)
  }
  return added
}

async function* chunksOf(lines: AsyncIterable<string>, report: Report): AsyncGenerator<Line[]> {
  const idOf = recordIds()
  let chunk: Line[] = []
  let bytes = 0
  let number = 0
  for await (const text of lines) {
    number++
    if (text.trim() === '') continue
    const item = parse(text)
    if (item === undefined) {
      report(number, 'is not a JSON object')
      continue
    }
    const line = { number, item: { ...item, recordId: item.recordId ?? idOf(text) }, bytes: Buffer.byteLength(text) }
    if (chunk.length === MOST_LINES || (chunk.length > 0 && bytes + line.bytes > MOST_BYTES)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(line)
    bytes += line.bytes
  }
  if (chunk.length > 0) yield chunk
}

function parse(text: string): Item | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (value as Item) : undefined
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

/**
 * Adds the lines in as few requests as the service allows. A refused request is sent again without the invalid lines.
 */
async function add(client: Api, lines: Line[], report: Report): Promise<number> {
  if (lines.length === 0) return 0
  try {
    const { results } = await client.memory.addJudgments({ judgments: lines.map(({ item }) => item) })
    const refused = lines.filter(({ item }) => !results[item.recordId]?.success)
    for (const { number, item } of refused) report(number, results[item.recordId]?.message ?? 'was not added')
    return lines.length - refused.length
  } catch (error) {
    if (!(error instanceof PrecedentError) || error.status !== 'INVALID_ARGUMENT') throw error
    return addRest(client, lines, report, error)
  }
}

async function addRest(client: Api, lines: Line[], report: Report, error: PrecedentError): Promise<number> {
  const faults = faultsOf(error)
  const [only] = lines
  if (faults.size === 0 && only && lines.length === 1) {
    report(only.number, error.message)
    return 0
  }
  if (faults.size === 0) {
    const half = Math.ceil(lines.length / 2)
    return (await add(client, lines.slice(0, half), report)) + (await add(client, lines.slice(half), report))
  }
  for (const [index, fault] of faults) report(lines[index]?.number ?? 0, fault)
  return add(
    client,
    lines.filter((_, index) => !faults.has(index)),
    report,
  )
}

/** The first error of each invalid judgment of a request, by its position. */
function faultsOf({ details }: PrecedentError): Map<number, string> {
  const { issues = [] } = details ?? {}
  const faults = new Map<number, string>()
  for (const { path, message } of issues) {
    const match = /^judgments\[(\d+)\]\.?(.*)$/.exec(path)
    if (match && !faults.has(Number(match[1]))) faults.set(Number(match[1]), `${match[2]} ${message}`.trim())
  }
  return faults
}

/** Creates the organizations and documents that lines name. An error is reported for the lines that need them. */
function placesOf(client: Api) {
  const made = new Set<string>()
  const isNew = (...ids: string[]) => !made.has(JSON.stringify(ids)) && Boolean(made.add(JSON.stringify(ids)))

  async function makeDocuments(organizationId: string, items: Item[]): Promise<void> {
    const own = items.filter((item) => item.organizationId === organizationId)
    const ids = own.flatMap(({ documentId }) => documentId ?? []).filter((id) => isNew(organizationId, id))
    await tolerant(ids, (some) =>
      client.documents.addDocuments({ organizationId, documents: some.map((documentId) => ({ documentId })) }),
    )
  }

  return {
    async make(lines: Line[]): Promise<void> {
      const items = lines.map(({ item }) => item)
      const ids = items.flatMap(({ organizationId }) => organizationId ?? [])
      await tolerant(
        ids.filter((id) => isNew(id)),
        (some) =>
          client.organizations.addOrganizations({ organizations: some.map((organizationId) => ({ organizationId })) }),
      )
      for (const organizationId of new Set(ids)) await makeDocuments(organizationId, items)
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
