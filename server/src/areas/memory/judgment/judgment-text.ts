import { createHash } from 'node:crypto'
import type { TextField } from './indexed-judgment.ts'

/** The embedded part of a text, in characters: as much as an embedding model reads even if its tokens are short. */
const EMBEDDED_CHARACTERS = 8_000

export const TEXT_FIELDS: TextField[] = ['review', 'content']

/** The `review` text of a judgment: the decision and the reasoning. */
export const reviewText = ({ decision, reasoning }: { decision: string; reasoning: string }): string =>
  `${decision} ${reasoning}`

/** The embedded text of a judgment: decision and reasoning (`review`), or what was reviewed (`content`). */
export function textOf(judgment: { decision: string; reasoning: string; content: string }, field: TextField): string {
  return embeddable(field === 'content' ? judgment.content : reviewText(judgment))
}

/** The part of a text that is embedded. */
export function embeddable(text: string): string {
  return text.trim().slice(0, EMBEDDED_CHARACTERS).toWellFormed()
}

/** A hash as a UUID, by which a changed text is recognized. */
export function textHash(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The indexed part of a text, in characters: enough to tell its topic. */
export const INDEXED_CHARACTERS = 20_000

/** The part of a query or a reasoning that is compared. Comparing more takes long and finds nothing else. */
export const comparedText = (text: string): string => text.slice(0, INDEXED_CHARACTERS).toWellFormed()
