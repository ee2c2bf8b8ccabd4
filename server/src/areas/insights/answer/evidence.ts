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

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/** The sentence of a text that shares most stems with a question, as it stands there; at most 240 characters. */
export function snippetOf(text: string, question: string): string {
  const asked = new Set(stemsOf(question))
  const sentences = Array.from(segmenter.segment(text.slice(0, 4_000)), ({ segment }) => segment.trim()).filter(Boolean)
  const shared = (sentence: string) => new Set(stemsOf(sentence).filter((stem) => asked.has(stem))).size
  const best = sentences.reduce((most, each) => (shared(each) > shared(most) ? each : most), sentences[0] ?? '')
  return best.slice(0, LONGEST_SNIPPET).toWellFormed()
}

/** An answer made of quotes alone, each with the id of what it is quoted from. */
export function quotedAnswer(question: string, evidence: Evidence[]): string {
  return evidence.map(({ id, label, text }) => `${label}: “${snippetOf(text, question)}” [${id}]`).join('\n')
}
