import { startOf } from '../../../platform/template.ts'
import { cutSentences } from '../words/cut-sentences.ts'
import { priorProbability } from '../words/prior-frequencies.ts'
import { stemsOf } from '../words/tokenize.ts'

const FRAGMENTS = 3
/** In characters. */
const LONGEST = 160
const READ = 4_000
/** A word that so many general texts hold says nothing about where a text answers a query. */
const COMMON = 0.2

/** The stems of a query that tell where a text is about it; all of them if each is common. */
export function tellingStems(query: string): Set<string> {
  const stems = new Set(stemsOf(query.slice(0, READ)))
  const telling = [...stems].filter((stem) => priorProbability(stem) < COMMON)
  return telling.length > 0 ? new Set(telling) : stems
}

/**
 * Up to three sentences of the beginning of a text that share most with the stems, in the order of the text. They are
 * plain text of at most 160 characters; a longer one is cut around its first match.
 */
export function highlightsOf(text: string, stems: ReadonlySet<string>): string[] {
  return Array.from(cutSentences(startOf(text, READ)), ({ segment }) => segment.replace(/\s+/g, ' ').trim())
    .map((sentence, place) => ({ sentence, place, matches: shared(sentence, stems) }))
    .filter(({ matches }) => matches > 0)
    .sort((a, b) => b.matches - a.matches || a.place - b.place)
    .slice(0, FRAGMENTS)
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => around(sentence, stems))
}

function around(sentence: string, stems: ReadonlySet<string>): string {
  if (Array.from(sentence).length <= LONGEST) return sentence
  const start = startOf(sentence, Math.max(0, firstMatch(sentence, stems) - LONGEST / 4)).length
  const rest = sentence.slice(start)
  const cut = startOf(rest, LONGEST - 2)
  return `${start > 0 ? '…' : ''}${cut.trim()}${cut.length < rest.length ? '…' : ''}`
}

/** Where the first match begins. What has no blanks, as Chinese, is searched for the stem itself. */
function firstMatch(sentence: string, stems: ReadonlySet<string>): number {
  const words = sentence.split(' ')
  const first = words.findIndex((word) => stemsOf(word).some((stem) => stems.has(stem)))
  const word = (words[first] ?? '').toLowerCase()
  const within = [...stems].map((stem) => word.indexOf(stem)).filter((at) => at >= 0)
  const start = first <= 0 ? 0 : words.slice(0, first).join(' ').length + 1
  return start + (within.length > 0 ? Math.min(...within) : 0)
}

function shared(sentence: string, stems: ReadonlySet<string>): number {
  return [...new Set(stemsOf(sentence))].filter((stem) => stems.has(stem)).length
}
