import { aboveChance, rememberedAffinity, type Scored, trigramCosines } from './relevance.ts'
import type { RowFilter } from './row-filter.ts'
import type { TextQuery } from './text-query.ts'

/** The most texts that are compared, the newest first. */
const TRIGRAM_TEXTS = 16_384

/**
 * For queries that share stems with too few texts: finds texts that share parts of words, among the newest that pass
 * the filter. Skips the `known` ones.
 */
export function byTrigrams(query: TextQuery, filter: RowFilter, known: Uint32Array, limit: number): Scored[] {
  const seen = new Set(known)
  const cosine = trigramCosines(query, rememberedAffinity(query))
  const found: Scored[] = []
  let left = TRIGRAM_TEXTS
  for (const text of latest(filter, query.field.count)) {
    if (seen.has(text)) continue
    const trigrams = cosine(text)
    const similarity = 0.3 * aboveChance(trigrams)
    if (similarity > 0) found.push({ text, similarity, closeness: 0.3 * trigrams, nearness: 0.2 * trigrams })
    if (--left === 0) break
  }
  return found.sort((a, b) => b.similarity - a.similarity || b.text - a.text).slice(0, limit)
}

function* latest({ flags, rows }: RowFilter, count: number): Generator<number> {
  if (rows) yield* rows
  else for (let text = count - 1; text >= 0; text--) if (flags[text]) yield text
}
