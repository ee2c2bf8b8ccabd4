import { createHash } from 'node:crypto'
import type { TextField } from './indexed-judgment.ts'

/** As much of a text as an embedding model takes, however few characters its tokens have. */
const EMBEDDED_CHARACTERS = 8_000

export const TEXT_FIELDS: TextField[] = ['review', 'content']

/** What is embedded of a judgment: decision and reasoning (`review`), or what was reviewed (`content`). */
export function textOf(
  { decision, reasoning, content }: { decision: string; reasoning: string; content: string },
  field: TextField,
): string {
  return embeddable(field === 'content' ? content : `${decision} ${reasoning}`)
}

/** The part of a text that is embedded. */
export function embeddable(text: string): string {
  return text.trim().slice(0, EMBEDDED_CHARACTERS).toWellFormed()
}

/** By which a text is known to have changed, as a UUID. */
export function textHash(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
