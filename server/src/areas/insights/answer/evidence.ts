import { priorProbability } from '../../memory/words/prior-frequencies.ts'
import { stemsOf } from '../../memory/words/tokenize.ts'

/** A judgment, or a rule, that an answer may quote. */
export interface Evidence {
  id: string
  kind: 'judgment' | 'rule'
  /** Who decided what, or where the rule stands. */
  label: string
  text: string
}

const LONGEST_SNIPPET = 240
/** As much is read of a question and of a text, in characters. */
const READ = 4_000

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/**
 * The sentence of a text that shares the most telling stems with a question, as it stands there. One of more than 240
 * characters is cut at a word.
 */
export function snippetOf(text: string, question: string): string {
  const asked = new Set(stemsOf(question.slice(0, READ)))
  const sentences = Array.from(segmenter.segment(text.slice(0, READ)), ({ segment }) => segment.trim()).filter(Boolean)
  const told = sentences.map((sentence) => toldBy(sentence, asked))
  const best = sentences[told.indexOf(Math.max(...told))] ?? ''
  if (best.length <= LONGEST_SNIPPET) return best
  const start = best.slice(0, LONGEST_SNIPPET - 1)
  return `${start
    .slice(0, start.lastIndexOf(' ') + 1 || undefined)
    .trimEnd()
    .toWellFormed()}…`
}

/** How much the stems tell that a sentence shares with a question: the rarer, the more. */
function toldBy(sentence: string, asked: ReadonlySet<string>): number {
  let told = 0
  for (const stem of new Set(stemsOf(sentence))) if (asked.has(stem)) told += Math.log(priorProbability(stem)) ** 2
  return told
}

/** The evidence without what would be quoted with the same words and label as evidence before it. */
export function distinct(evidence: Evidence[], question: string): Evidence[] {
  const quoted = new Set<string>()
  return evidence.filter(({ label, text }) => {
    const quote = `${label}: ${snippetOf(text, question)}`
    return !quoted.has(quote) && quoted.add(quote)
  })
}

/** An answer made of quotes alone, each with the id of what it is quoted from. */
export function quotedAnswer(question: string, evidence: Evidence[]): string {
  return evidence.map(({ id, label, text }) => `${label}: “${snippetOf(text, question)}” [${id}]`).join('\n')
}
