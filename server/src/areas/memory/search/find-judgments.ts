import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { LexicalHit, LexicalQuery, LexicalResult } from '../judgment/indexed-judgment.ts'
import { contentColumns, type FoundJudgment, foundColumns } from '../judgment/judgment.ts'
import { admits } from '../judgment/scope.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import type { DenseQuery } from '../vectors/dense-search.ts'
import { fitsByVectors, fitsByWords, NOTHING_FITS } from './fit.ts'
import { filledUp, fused } from './fusion.ts'
import { readByKey } from './read-by-key.ts'

/** The parts of a process that a search uses. */
export type SearchServices = Pick<Services, 'indexCache' | 'denseSearch'>

/** The stored columns of a judgment that was found. */
type Stored = Omit<FoundJudgment, 'similarity' | 'scope' | 'highlights'>

export interface Findings {
  found: { judgment: Stored; similarity: number }[]
  /** How many judgments scope and filters admit. */
  totalInScope: number
  warnings: string[]
}

/**
 * Finds judgments by words and, with a configured model, by vectors among those that scope and filters admit. The best
 * come first. The built-in embedding is asked only if words find fewer than the limit, or nothing that fits. A warning
 * says where neither found what fits.
 */
export async function findJudgments(
  db: Db,
  tenant: ApiKeyTenant,
  { indexCache, denseSearch }: SearchServices,
  query: LexicalQuery & { withContent?: boolean },
): Promise<Findings> {
  const { field, scope, filters = {}, limit } = query
  const condition = admits(scope, filters)

  async function read({ hits, totalInScope }: LexicalResult, warnings: string[], model?: string) {
    const { byKey, change, numbers } = await readByKey<Stored>(db, tenant, {
      keys: hits.map(({ recordId }) => recordId),
      condition,
      columns: query.withContent ? contentColumns : foundColumns,
      ...(model !== undefined && { vectors: { field, model } }),
    })
    const found = hits.flatMap(({ recordId, similarity }: LexicalHit) => {
      const judgment = byKey.get(recordId)
      return judgment ? [{ judgment, similarity }] : []
    })
    return { answer: { answer: { found, totalInScope, warnings }, change }, numbers }
  }

  const isFit = ({ hits, totalInScope }: LexicalResult) =>
    hits.length === 0 || fitsByWords(query.query, hits, totalInScope)

  const embedded = () => denseSearch.embed(db, tenant, query.query)
  const asked = denseSearch.onlyFills ? undefined : await embedded()

  async function byBoth({ baseline, model, nearest }: DenseQuery, index: LexicalIndex, warnings: string[]) {
    const ranking = index.ranking(query)
    const also = ranking.map(({ recordId }) => recordId)
    return nearest(db, index, { field, scope, filters, also }, (cosines) => {
      const { count: totalInScope } = index.table.admit(scope, filters)
      const all = denseSearch.onlyFills
        ? filledUp(ranking, cosines, baseline, totalInScope)
        : fused(ranking, cosines, baseline)
      const hits = all.slice(0, limit)
      const fits = isFit({ hits: ranking, totalInScope }) || fitsByVectors(cosines, baseline, totalInScope)
      return { restsOn: hits, read: read({ hits, totalInScope }, withFit(fits, warnings), model) }
    })
  }

  return indexCache.answer(db, tenant, condition, async (index) => {
    const byWords = async (why: string[]) => {
      const result = index.search(query)
      return (await read(result, withFit(isFit(result), why))).answer
    }
    const words = asked ? undefined : index.search(query)
    if (words && isFull(words, limit) && isFit(words)) return (await read(words, [])).answer
    const { dense, warnings } = asked ?? (await embedded())
    if (!dense) return byWords(warnings)
    const found = await byBoth(dense, index, warnings)
    return typeof found === 'string' ? byWords(dense.warningsOf(found)) : found
  })
}

/** Whether no other judgment in scope could be added. */
const isFull = ({ hits, totalInScope }: LexicalResult, limit: number) => hits.length >= Math.min(limit, totalInScope)

const withFit = (fits: boolean, warnings: string[]) => (fits ? warnings : [...warnings, NOTHING_FITS])
