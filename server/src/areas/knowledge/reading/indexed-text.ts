import { termWeights } from '../../memory/knowledge/term-weights.ts'
import { stemsOf } from '../../memory/words/tokenize.ts'
import { type Entry, outline } from './outline.ts'
import { MOST_CHARACTERS, MOST_ENTRIES, ReadingError } from './reading.ts'

/** An entry with its stems, separated by blanks, and their weights. Two million strings would be slow to hand over. */
export interface IndexedEntry extends Entry {
  terms: string
  weights: number[]
}

/** A text as it is stored and searched. */
export interface IndexedText {
  markdown: string
  entries: IndexedEntry[]
}

type MapAll = <Item, Result>(items: Item[], map: (item: Item) => Result) => Promise<Result[]>

/**
 * Divides a text into entries and weighs their stems, which may take seconds: `mapAll` may rest meanwhile. A rule that
 * is repeated counts once. Refuses blanks.
 */
export async function indexed(markdown: string, mapAll: MapAll): Promise<IndexedText> {
  if (markdown.length > MOST_CHARACTERS) throw new ReadingError('file-too-large')
  // U+0000 cannot be stored.
  const text = markdown.replaceAll('\u0000', '').toWellFormed()
  const rules = new Set<string>()
  const entries = outline(text).filter(({ kind, content }) => {
    if (kind === 'rule' && rules.has(content)) return false
    if (kind === 'rule') rules.add(content)
    return true
  })
  if (entries.length === 0) throw new ReadingError('no-text')
  if (entries.length > MOST_ENTRIES) throw new ReadingError('file-too-large')
  const read = await mapAll(entries, (entry) => ({ entry, stems: stemsOf(textOf(entry)) }))
  const dull = sharedStems(read.flatMap(({ entry, stems }) => (entry.kind === 'rule' ? [stems] : [])))
  return { markdown: text, entries: await mapAll(read, ({ entry, stems }) => withTerms(entry, stems, dull)) }
}

function withTerms(entry: Entry, stems: string[], dull: ReadonlySet<string>): IndexedEntry {
  const weights = entry.kind === 'rule' ? termWeights(stems, dull) : termWeights(stems)
  return { ...entry, terms: [...weights.keys()].join(' '), weights: [...weights.values()] }
}

const textOf = ({ category, content }: Entry) => (category === null ? content : `${category}\n${content}`)

/** Fewer rules have no words of all. */
const FEWEST_RULES = 4

/**
 * The stems of more than half of the rules, such as the names of columns: they do not tell one rule from the others.
 */
function sharedStems(rules: readonly string[][]): Set<string> {
  if (rules.length < FEWEST_RULES) return new Set()
  const counts = new Map<string, number>()
  for (const stems of rules) {
    for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([stem, count]) => (count > rules.length / 2 ? [stem] : [])))
}
