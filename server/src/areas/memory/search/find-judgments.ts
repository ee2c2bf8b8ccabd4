import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import type { LexicalHit, LexicalQuery, LexicalResult } from '../judgment/indexed-judgment.ts'
import { contentColumns, type FoundJudgment, foundColumns } from '../judgment/judgment.ts'
import { admits } from '../judgment/scope.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import type { DenseQuery } from '../vectors/dense-search.ts'
import type { VectorState } from '../vectors/vector-progress.ts'
import { fitsByVectors, fitsByWords, NOTHING_FITS } from './fit.ts'
import { filledUp, fused } from './fusion.ts'
import { readByKey } from './read-by-key.ts'

/** The parts of a process that a search uses. */
export type SearchServices = Pick<Services, 'indexCache' | 'denseSearch' | 'knownKeys'>

/** The stored columns of a judgment that was found. */
type Stored = Omit<FoundJudgment, 'similarity' | 'scope' | 'highlights'>

type Hits = Pick<LexicalResult, 'hits' | 'totalInScope'>

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
  services: SearchServices,
  query: LexicalQuery & { withContent?: boolean },
): Promise<Findings> {
  const { knownKeys, denseSearch } = services
  if (denseSearch.model === undefined) return (await find(db, tenant, services, query, undefined)).answer
  return knownKeys.confirmed(db, tenant, ({ vectors }) => find(db, tenant, services, query, vectors))
}

async function find(
  db: Db,
  tenant: ApiKeyTenant,
  { indexCache, denseSearch, knownKeys }: SearchServices,
  query: LexicalQuery & { withContent?: boolean },
  vectors: VectorState | undefined,
): Promise<{ answer: Findings; stamp: string }> {
  const { field, scope, filters = {}, limit } = query
  const condition = admits(scope, filters)

  const read = (hits: Hits, warnings: string[], model?: string) =>
    readHits(db, tenant, query, { ...hits, warnings, model, ...(vectors && { stamp: knownKeys.stamp(tenant) }) })

  const isFit = ({ hits, totalInScope }: Hits) => hits.length === 0 || fitsByWords(query.query, hits, totalInScope)
  const embedded = () => denseSearch.embed(db, tenant, query.query, vectors)

  /** Ranks what words found with what is near by vectors. */
  async function byBoth(
    { baseline, model, nearest }: DenseQuery,
    index: LexicalIndex,
    { byWords, warnings }: { byWords: LexicalHit[]; warnings: string[] },
    rank: (cosines: Map<string, number>) => LexicalHit[],
  ) {
    const also = byWords.map(({ recordId }) => recordId)
    return nearest(db, index, { field, scope, filters, also }, (cosines) => {
      const { count: totalInScope } = index.table.admit(scope, filters)
      const hits = rank(cosines).slice(0, limit)
      const isNear = fitsByWords(query.query, byWords, totalInScope) || fitsByVectors(cosines, baseline, totalInScope)
      const fits = hits.length === 0 || isNear
      return { restsOn: hits, read: read({ hits, totalInScope }, withFit(fits, warnings), model) }
    })
  }

  async function byWords(words: LexicalResult, warnings: string[]) {
    return (await read(words, withFit(isFit(words), warnings))).answer
  }

  async function filled(index: LexicalIndex) {
    const words = index.search(query)
    if (isFull(words, limit) && isFit(words)) return byWords(words, [])
    const { dense, warnings } = await embedded()
    if (!dense) return byWords(words, warnings)
    const found = await byBoth(dense, index, { byWords: words.hits, warnings }, (cosines) =>
      filledUp(words, cosines, dense.baseline),
    )
    return typeof found === 'string' ? byWords(words, dense.warningsOf(found)) : found
  }

  async function combined(index: LexicalIndex, { dense, warnings }: Awaited<ReturnType<typeof embedded>>) {
    if (!dense) return byWords(index.search(query), warnings)
    const ranking = index.ranking(query)
    const found = await byBoth(dense, index, { byWords: ranking, warnings }, (cosines) =>
      fused(ranking, cosines, dense.baseline),
    )
    return typeof found === 'string' ? byWords(index.search(query), dense.warningsOf(found)) : found
  }

  const asked = denseSearch.onlyFills ? undefined : await embedded()
  return indexCache.answer(db, tenant, condition, (index) => (asked ? combined(index, asked) : filled(index)))
}

/** Reads the hits that scope and filters still admit, with the numbers of their vectors where a model is named. */
async function readHits(
  db: Db,
  tenant: ApiKeyTenant,
  { field, scope, filters = {}, withContent = false }: LexicalQuery & { withContent?: boolean },
  {
    hits,
    totalInScope,
    warnings,
    model,
    stamp: known,
  }: Hits & {
    warnings: string[]
    model: string | undefined
    stamp?: Sql
  },
) {
  const { byKey, change, numbers, stamp } = await readByKey<Stored>(db, tenant, {
    keys: hits.map(({ recordId }) => recordId),
    condition: admits(scope, filters),
    columns: withContent ? contentColumns : foundColumns,
    ...(model !== undefined && { vectors: { field, model } }),
    ...(known && { stamp: known }),
  })
  const found = hits.flatMap(({ recordId, similarity }) => {
    const judgment = byKey.get(recordId)
    return judgment ? [{ judgment, similarity }] : []
  })
  return { answer: { answer: { answer: { found, totalInScope, warnings }, stamp }, change }, numbers }
}

/** Whether no other judgment in scope could be added. */
const isFull = ({ hits, totalInScope }: Hits, limit: number) => hits.length >= Math.min(limit, totalInScope)

const withFit = (fits: boolean, warnings: string[]) => (fits ? warnings : [...warnings, NOTHING_FITS])
