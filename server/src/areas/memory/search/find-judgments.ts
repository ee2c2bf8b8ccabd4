import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import type { LexicalHit, LexicalQuery, LexicalResult, RankedHit } from '../judgment/indexed-judgment.ts'
import { contentColumns, type FoundJudgment, foundColumns } from '../judgment/judgment.ts'
import { admits } from '../judgment/scope.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import type { DenseQuery } from '../vectors/dense-search.ts'
import type { VectorState } from '../vectors/vector-progress.ts'
import { fitsByWords, isNearBy, NOTHING_FITS, NOTHING_SHARED } from './fit.ts'
import { filledUp, fused } from './fusion.ts'
import { type Wording, wordingOf } from './other-forms.ts'
import { readByKey } from './read-by-key.ts'

/** The parts of a process that a search uses. */
export type SearchServices = Pick<Services, 'indexCache' | 'denseSearch' | 'knownKeys'>

/** The stored columns of a judgment that was found. */
type Stored = Omit<FoundJudgment, 'similarity' | 'scope' | 'highlights'>

type Hits = Pick<LexicalResult, 'totalInScope'> & { hits: Hit[] }
type Hit = LexicalHit & { isNear?: boolean }

/** What a search found, the best first. */
export interface Findings {
  /** `isNear`: nearer than chance explains, by the vectors of a configured model. */
  found: { judgment: Stored; similarity: number; isNear?: boolean }[]
  /** How the query was worded, if it is for what shares words. */
  wording: Wording | undefined
  /** How many judgments scope and filters admit. */
  totalInScope: number
  warnings: string[]
}

/**
 * Finds judgments by words and, with a configured model, by vectors among those that scope and filters admit. The best
 * come first. The built-in embedding is asked only if words find fewer than the limit, or nothing that fits, and what
 * shares no word is wanted too. A warning says where neither found what fits.
 */
export async function findJudgments(
  db: Db,
  tenant: ApiKeyTenant,
  services: SearchServices,
  query: LexicalQuery & { withContent?: boolean },
): Promise<Findings> {
  const { knownKeys, denseSearch } = services
  if (denseSearch.model === undefined) return find(db, tenant, services, query, undefined)
  return knownKeys.confirmed(db, tenant, ({ vectors }) => find(db, tenant, services, query, vectors))
}

async function find(
  db: Db,
  tenant: ApiKeyTenant,
  { indexCache, denseSearch, knownKeys }: SearchServices,
  query: LexicalQuery & { withContent?: boolean },
  vectors: VectorState | undefined,
): Promise<Findings & { stamp: string }> {
  const { field, scope, filters = {}, limit, sharesWords = false } = query
  const condition = admits(scope, filters)
  const stamp = vectors && { stamp: knownKeys.stamp(tenant) }
  const read = ({ wording }: Searched, hits: Hits, told: string[], model?: string) =>
    readHits(db, tenant, query, { ...hits, wording, warnings: withNothing(query, hits, told), model, ...stamp })
  const embedded = () => denseSearch.embed(db, tenant, query.query, vectors)

  /** Ranks what words found with what is near by vectors. */
  async function byBoth(
    { baseline, model, nearest }: DenseQuery,
    searched: Searched,
    { byWords, warnings }: { byWords: LexicalHit[]; warnings: string[] },
    rank: (cosines: Map<string, number>) => LexicalHit[],
  ) {
    const also = byWords.map(({ key }) => key)
    return nearest(db, searched.index, { field, scope, filters, also }, (cosines) => {
      const { count: totalInScope } = searched.index.table.admit(scope, filters)
      const isNear = isNearBy(cosines, baseline, totalInScope)
      const ranked = rank(cosines).slice(0, limit)
      const hits = denseSearch.onlyFills ? ranked : marked(ranked, isNear)
      const fits = !hits.length || fitsByWords(query.query, byWords, totalInScope) || [...cosines.keys()].some(isNear)
      return { restsOn: hits, read: read(searched, { hits, totalInScope }, withFit(fits, warnings), model) }
    })
  }

  const byWords = (searched: Searched, words: LexicalResult, warnings: string[]) =>
    read(searched, words, withFit(isFit(query, words), warnings))

  async function filled(searched: Searched) {
    const words = searched.search()
    const isEnough = sharesWords || (isFull(words, limit) && isFit(query, words))
    if (isEnough || !denseSearch.compares(searched.index, field)) return byWords(searched, words, [])
    const { dense, warnings } = await embedded()
    if (!dense) return byWords(searched, words, warnings)
    const found = await byBoth(dense, searched, { byWords: words.hits, warnings }, (cosines) =>
      filledUp(words, cosines, dense.baseline),
    )
    return typeof found === 'string' ? byWords(searched, words, dense.warningsOf(found)) : found
  }

  async function combined(searched: Searched, { dense, warnings }: Awaited<ReturnType<typeof embedded>>) {
    if (!dense) return byWords(searched, searched.search(), warnings)
    const ranking = searched.ranking()
    const found = await byBoth(dense, searched, { byWords: ranking, warnings }, (cosines) =>
      fused(ranking, cosines, dense.baseline),
    )
    return typeof found === 'string' ? byWords(searched, searched.search(), dense.warningsOf(found)) : found
  }

  const asked = denseSearch.onlyFills ? undefined : await embedded()
  const found = (searched: Searched) => (asked ? combined(searched, asked) : filled(searched))
  return indexCache.answer(db, tenant, condition, (index) => found(wordedFor(index, query)))
}

/**
 * Reads the hits that scope and filters still admit. What says of which state of the database that was goes along: the
 * last change, the stamp where it is asked for, and the numbers of the vectors where a model is named.
 */
async function readHits(
  db: Db,
  tenant: ApiKeyTenant,
  { field, scope, filters = {}, withContent = false }: LexicalQuery & { withContent?: boolean },
  {
    hits,
    totalInScope,
    wording,
    warnings,
    model,
    stamp: known,
  }: Hits & {
    wording: Findings['wording']
    warnings: string[]
    model: string | undefined
    stamp?: Sql
  },
) {
  const { byKey, change, numbers, stamp } = await readByKey<Stored>(db, tenant, {
    keys: hits.map(({ key }) => key),
    condition: admits(scope, filters),
    columns: withContent ? contentColumns : foundColumns,
    ...(model !== undefined && { vectors: { field, model } }),
    ...(known && { stamp: known }),
  })
  const found = hits.flatMap(({ key, ...hit }) => {
    const judgment = byKey.get(key)
    return judgment ? [{ judgment, ...hit }] : []
  })
  return { found, totalInScope, wording, warnings, change, numbers, stamp }
}

/** An index, and how it is searched by words. */
interface Searched {
  index: LexicalIndex
  wording: Wording | undefined
  search(): LexicalResult
  ranking(): RankedHit[]
}

/** What shares words with a query is searched by other forms of its words too. */
function wordedFor(index: LexicalIndex, query: LexicalQuery): Searched {
  const wording = query.sharesWords ? wordingOf(index, query) : undefined
  const worded = wording ? { ...query, query: wording.query } : query
  return { index, wording, search: () => index.search(worded), ranking: () => index.ranking(worded) }
}

const marked = (hits: LexicalHit[], isNear: (key: string) => boolean): Hit[] =>
  hits.map((hit) => ({ ...hit, isNear: isNear(hit.key) }))

/** Whether the best of what words found fits the query; so does nothing. */
const isFit = ({ query }: LexicalQuery, { hits, totalInScope }: Hits) =>
  hits.length === 0 || fitsByWords(query, hits, totalInScope)

/** Whether no other judgment in scope could be added. */
const isFull = ({ hits, totalInScope }: Hits, limit: number) => hits.length >= Math.min(limit, totalInScope)

const withNothing = ({ sharesWords }: LexicalQuery, { hits, totalInScope }: Hits, warnings: string[]) =>
  hits.length > 0 || totalInScope === 0 || sharesWords ? warnings : [...warnings, NOTHING_SHARED]

const withFit = (fits: boolean, warnings: string[]) => (fits ? warnings : [...warnings, NOTHING_FITS])
