import { aboveChance, type Scored, trigramCosines } from './relevance.ts'
import type { RowFilter } from './row-filter.ts'
import type { TextQuery } from './text-query.ts'

/** So many of the newest are compared. */
const TRIGRAM_TEXTS = 16_384

/** Where too few share a stem with the query: those of the newest admitted texts that share parts of words, without the known. */
export function byTrigrams(query: TextQuery, filter: RowFilter, known: Uint32Array, limit: number): Scored[] {
  const seen = new Set(known)
  const cosine = trigramCosines(query)
  const found: Scored[] = []
  let left = TRIGRAM_TEXTS
  for (const text of latest(filter, query.field.count)) {
    if (seen.has(text)) continue
    const closeness = cosine(text)
    const similarity = 0.3 * aboveChance(closeness)
    if (similarity > 0) found.push({ text, similarity, closeness })
    if (--left === 0) break
  }
  return found.sort((a, b) => b.similarity - a.similarity || b.text - a.text).slice(0, limit)
}

function* latest({ flags, rows }: RowFilter, count: number): Generator<number> {
  if (rows) yield* rows
  else for (let text = count - 1; text >= 0; text--) if (flags[text]) yield text
}
