import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Documents, and queries with the grade of each relevant document. */
export interface RetrievalSet {
  name: string
  documents: { id: string; text: string }[]
  /** `except`: a document that must not be found, because the query is made from it. */
  queries: { text: string; except?: string; grades: Map<string, number> }[]
}

export interface Judgment {
  id: string
  itemId: string
  approve: boolean
  reviewer: string | null
  /** Who wrote the item, if known. */
  author: string | null
  reasoning: string
  content: string
  createdAt: number
}

/** Judgments by time, split into known ones and future ones to predict. */
export interface JudgmentSet {
  name: string
  history: Judgment[]
  future: Judgment[]
  /** Texts about something else. */
  offTopic: string[]
}

interface Line {
  t?: string
  id: string
  itemId?: string | number
  text?: string
  rel?: Record<string, number>
  decision?: string
  reviewer?: string
  author?: string
  reasoning?: string
  content?: string
  createdAt?: string
  fund?: string
}

/** Reads every `ir_*.jsonl` of the folder. */
export function retrievalSets(folder: string): RetrievalSet[] {
  return filesOf(folder, 'ir_').map(({ name, path }) => {
    const lines = linesOf(path)
    return {
      name,
      documents: lines.filter(({ t }) => t === 'd').map(({ id, text = '' }) => ({ id: String(id), text })),
      queries: lines
        .filter(({ t }) => t === 'q')
        .map(({ text = '', rel = {} }) => ({ text, grades: new Map(Object.entries(rel)) })),
    }
  })
}

/**
 * Reads every `judgments_*.jsonl`. The last `fund`, or without funds the last fifth, is the future. `manifest.json`
 * names the off-topic sets of each: `{ "offTopic": { "<set>": ["<other set>", …] } }`. A retrieval set stands for its
 * queries, a set of judgments for what was reviewed.
 */
export function judgmentSets(folder: string): JudgmentSet[] {
  const manifest = join(folder, 'manifest.json')
  if (!existsSync(manifest)) process.stderr.write(`${manifest} names no off-topic sets, so none are asked about.\n`)
  const offTopic = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).offTopic : {}
  return filesOf(folder, 'judgments_').map(({ name, path }) => {
    const items = itemsOf(folder, name)
    const lines = linesOf(path).filter(({ decision }) => decision === 'approve' || decision === 'reject')
    const lastFund = lines
      .map(({ fund }) => fund)
      .sort()
      .at(-1)
    const isFuture = (line: Line, i: number) => (lastFund ? line.fund === lastFund : i >= lines.length * 0.8)
    const judgments = lines.map((line) => judgment(line, items.get(String(line.itemId))))
    return {
      name,
      history: judgments.filter((_, i) => !isFuture(lines[i] as Line, i)),
      future: judgments.filter((_, i) => isFuture(lines[i] as Line, i)),
      offTopic: (offTopic[name] ?? []).flatMap((other: string) => textsOf(folder, other)),
    }
  })
}

/** The texts of a set as off-topic queries. */
function textsOf(folder: string, name: string): string[] {
  const queries = join(folder, `ir_${name}.jsonl`)
  if (existsSync(queries)) return linesOf(queries).flatMap(({ t, text = '' }) => (t === 'q' ? [text] : []))
  const items = itemsOf(folder, name)
  const lines = linesOf(join(folder, `judgments_${name}.jsonl`))
  return [...new Set(lines.map((line) => judgment(line, items.get(String(line.itemId))).content))]
}

function itemsOf(folder: string, name: string): Map<string, Line> {
  const path = join(folder, `items_${name}.jsonl`)
  return new Map(existsSync(path) ? linesOf(path).map((line) => [String(line.itemId), line]) : [])
}

function judgment(line: Line, item: Line | undefined): Judgment {
  return {
    id: String(line.id),
    itemId: String(line.itemId ?? line.id),
    approve: line.decision === 'approve',
    reviewer: line.reviewer ?? null,
    author: line.author || item?.author || null,
    reasoning: line.reasoning ?? '',
    content: line.content ?? item?.content ?? '',
    createdAt: line.createdAt ? Date.parse(line.createdAt) : 0,
  }
}

function filesOf(folder: string, prefix: string) {
  return readdirSync(folder)
    .filter((file) => file.startsWith(prefix) && file.endsWith('.jsonl'))
    .sort()
    .map((file) => ({ name: file.slice(prefix.length, -'.jsonl'.length), path: join(folder, file) }))
}

function linesOf(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
