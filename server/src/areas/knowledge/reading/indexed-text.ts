import { termWeights } from '../../memory/knowledge/term-weights.ts'
import { stemsOf } from '../../memory/words/tokenize.ts'
import { type Entry, outline } from './outline.ts'
import { MOST_CHARACTERS, MOST_ENTRIES, ReadingError } from './reading.ts'

/** An entry with its weighted stems. */
export interface IndexedEntry extends Entry {
  terms: string[]
  weights: number[]
}

/** A text as it is stored and searched. */
export interface IndexedText {
  markdown: string
  entries: IndexedEntry[]
}

/** Divides a text into entries and weighs their stems. A rule that is repeated counts once. Refuses blanks. */
export function indexed(markdown: string): IndexedText {
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
  const dull = sharedStems(entries.filter(({ kind }) => kind === 'rule'))
  return { markdown: text, entries: entries.map((entry) => withTerms(entry, dull)) }
}

function withTerms(entry: Entry, dull: ReadonlySet<string>): IndexedEntry {
  const stems = stemsOf(textOf(entry))
  const weights = entry.kind === 'rule' ? termWeights(stems, dull) : termWeights(stems)
  return { ...entry, terms: [...weights.keys()], weights: [...weights.values()] }
}

const textOf = ({ category, content }: Entry) => (category === null ? content : `${category}\n${content}`)

/** Fewer rules have no words of all. */
const FEWEST_RULES = 4

/** The stems of more than half of the rules, such as the names of columns: they do not tell one rule from the others. */
function sharedStems(rules: readonly Entry[]): Set<string> {
  if (rules.length < FEWEST_RULES) return new Set()
  const counts = new Map<string, number>()
  for (const rule of rules) {
    for (const stem of new Set(stemsOf(textOf(rule)))) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([stem, count]) => (count > rules.length / 2 ? [stem] : [])))
}
