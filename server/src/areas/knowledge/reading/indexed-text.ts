import { termWeights } from '../../memory/knowledge/term-weights.ts'
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

/** Divides a text into entries and weighs their stems. A rule that is repeated counts once. */
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
  if (entries.length > MOST_ENTRIES) throw new ReadingError('file-too-large')
  return { markdown: text, entries: entries.map(withTerms) }
}

function withTerms(entry: Entry): IndexedEntry {
  const weights = termWeights(entry.category === null ? entry.content : `${entry.category}\n${entry.content}`)
  return { ...entry, terms: [...weights.keys()], weights: [...weights.values()] }
}
