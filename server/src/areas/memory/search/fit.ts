import type { LexicalHit } from '../judgment/indexed-judgment.ts'
import { denseSimilarity, denseTau, type SimilarityBaseline } from '../vectors/similarity-baseline.ts'
import { stemsOfQuery } from '../words/tokenize.ts'
import { lexicalTau } from './suggest.ts'

/** What a search is told that fills its limit with what has little to do with the query. */
export const NOTHING_FITS =
  'Nothing that was found fits the query well. It may be about something that was never judged.'

/** What a search is told that finds nothing among the judgments of its scope. */
export const NOTHING_SHARED = 'No judgment in scope has anything in common with the query.'

/** A query of so few stems is a part of any text that holds them, so its similarities are lower. */
const FEW_STEMS = 3
const PART_FOR_FEW = 0.5

/**
 * Whether the best hit shares more words with the query than unrelated texts do among `count`. Measured on four
 * collections (docs/memory.md).
 */
export function fitsByWords(query: string, hits: LexicalHit[], count: number): boolean {
  const tau = lexicalTau(count) * (stemsOfQuery(query).length > FEW_STEMS ? 1 : PART_FOR_FEW)
  return hits.some(({ similarity }) => similarity >= tau)
}

/** Tells of each judgment whether its vector is nearer than those of unrelated texts are among `count`. */
export function isNearBy(cosines: ReadonlyMap<string, number>, baseline: SimilarityBaseline, count: number) {
  const tau = denseTau(baseline, count)
  return (key: string): boolean => {
    const cosine = cosines.get(key)
    return cosine !== undefined && denseSimilarity(cosine, baseline) >= tau
  }
}
