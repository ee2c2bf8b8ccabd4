import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { LexicalHit, LexicalQuery, LexicalResult } from '../judgment/indexed-judgment.ts'
import { type FoundJudgment, foundColumns } from '../judgment/judgment.ts'
import { admits } from '../judgment/scope.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import type { DenseQuery } from '../vectors/dense-search.ts'
import { fused } from './fusion.ts'
import { readByKey } from './read-by-key.ts'

/** The parts of a process that a search uses. */
export type SearchServices = Pick<Services, 'indexCache' | 'denseSearch'>

/** The stored columns of a judgment that was found. */
type Stored = Omit<FoundJudgment, 'similarity' | 'scope'>

export interface Findings {
  found: { judgment: Stored; similarity: number }[]
  /** How many judgments scope and filters admit. */
  totalInScope: number
  warnings: string[]
}

/**
 * Finds judgments by words and, with a configured model, by vectors among those that scope and filters admit. The best
 * come first.
 */
export async function findJudgments(
  db: Db,
  tenant: ApiKeyTenant,
  { indexCache, denseSearch }: SearchServices,
  query: LexicalQuery,
): Promise<Findings> {
  const { field, scope, filters = {}, limit } = query
  const condition = admits(scope, filters)

  async function read({ hits, totalInScope }: LexicalResult, warnings: string[], model?: string) {
    const { byKey, change, numbers } = await readByKey<Stored>(db, tenant, {
      keys: hits.map(({ recordId }) => recordId),
      condition,
      columns: foundColumns,
      ...(model !== undefined && { vectors: { field, model } }),
    })
    const found = hits.flatMap(({ recordId, similarity }: LexicalHit) => {
      const judgment = byKey.get(recordId)
      return judgment ? [{ judgment, similarity }] : []
    })
    return { answer: { answer: { found, totalInScope, warnings }, change }, numbers }
  }

  const { dense, warnings } = await denseSearch.embed(db, tenant, query.query)

  async function byBoth({ baseline, model, nearest }: DenseQuery, index: LexicalIndex) {
    const ranking = index.ranking(query)
    const also = ranking.map(({ recordId }) => recordId)
    return nearest(db, index, { field, scope, filters, also }, (cosines) => {
      const hits = fused(ranking, cosines, baseline).slice(0, limit)
      const { count: totalInScope } = index.table.admit(scope, filters)
      return { restsOn: hits, read: read({ hits, totalInScope }, warnings, model) }
    })
  }

  return indexCache.answer(db, tenant, condition, async (index) => {
    const byWords = async (why: string[]) => (await read(index.search(query), why)).answer
    if (!dense) return byWords(warnings)
    const found = await byBoth(dense, index)
    return typeof found === 'string' ? byWords(dense.warningsOf(found)) : found
  })
}
