import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import type { LexicalHit, LexicalQuery, LexicalResult, RankedHit } from '../judgment/indexed-judgment.ts'
import { type FoundJudgment, foundColumns } from '../judgment/judgment.ts'
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

/** `columns`: those of `judgment j` that are read of what is found; `within`: how much of it, as `readByKey` has it. */
type Query = LexicalQuery & { columns?: Sql; within?: { bytes: number; size: Sql } }
type Embedded = Awaited<ReturnType<Services['denseSearch']['embed']>>
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
  query: Query,
): Promise<Findings> {
  const { knownKeys, denseSearch } = services
  if (denseSearch.model === undefined) return new JudgmentSearch(db, tenant, services, query).find()
  return knownKeys.confirmed(db, tenant, ({ vectors }) =>
    new JudgmentSearch(db, tenant, services, query, vectors).find(),
  )
}

/** One search, in one state of the vectors. */
class JudgmentSearch {
  readonly #db: Db
  readonly #tenant: ApiKeyTenant
  readonly #services: SearchServices
  readonly #query: Query
  readonly #vectors: VectorState | undefined

  constructor(db: Db, tenant: ApiKeyTenant, services: SearchServices, query: Query, vectors?: VectorState) {
    this.#db = db
    this.#tenant = tenant
    this.#services = services
    this.#query = query
    this.#vectors = vectors
  }

  async find(): Promise<Findings & { stamp: string }> {
    const { indexCache, denseSearch } = this.#services
    const { scope, filters = {} } = this.#query
    const embedded = denseSearch.onlyFills ? undefined : await this.#embed()
    return indexCache.answer(this.#db, this.#tenant, admits(scope, filters), (index) => {
      const searched = wordedFor(index, this.#query)
      return embedded ? this.#combined(searched, embedded) : this.#filled(searched)
    })
  }

  /** Ranks by words and vectors alike. */
  async #combined(searched: Searched, { dense, warnings }: Embedded) {
    if (!dense) return this.#byWords(searched, searched.search(), warnings)
    const byWords = searched.ranking()
    const found = await this.#byBoth(dense, searched, { byWords, warnings }, (cosines) =>
      fused(byWords, cosines, dense.baseline),
    )
    return typeof found === 'string' ? this.#byWords(searched, searched.search(), dense.warningsOf(found)) : found
  }

  /** Ranks by words, and fills up with what is near by vectors where these find too little. */
  async #filled(searched: Searched) {
    const { field, limit, sharesWords = false } = this.#query
    const words = searched.search()
    const isEnough = sharesWords || (isFull(words, limit) && isFit(this.#query, words))
    if (isEnough || !this.#services.denseSearch.compares(searched.index, field)) {
      return this.#byWords(searched, words, [])
    }
    const { dense, warnings } = await this.#embed()
    if (!dense) return this.#byWords(searched, words, warnings)
    const found = await this.#byBoth(dense, searched, { byWords: words.hits, warnings }, (cosines) =>
      filledUp(words, cosines, dense.baseline),
    )
    return typeof found === 'string' ? this.#byWords(searched, words, dense.warningsOf(found)) : found
  }

  #byWords(searched: Searched, words: LexicalResult, warnings: string[]) {
    return this.#read(searched, words, withFit(isFit(this.#query, words), warnings))
  }

  /** Ranks what words found with what is near by vectors. Returns why vectors could not be compared, if so. */
  #byBoth(
    { baseline, model, nearest }: DenseQuery,
    searched: Searched,
    { byWords, warnings }: { byWords: LexicalHit[]; warnings: string[] },
    rank: (cosines: Map<string, number>) => LexicalHit[],
  ) {
    const { field, query, scope, filters = {}, limit } = this.#query
    const also = byWords.map(({ key }) => key)
    return nearest(this.#db, searched.index, { field, scope, filters, also }, (cosines) => {
      const { count: totalInScope } = searched.index.table.admit(scope, filters)
      const isNear = isNearBy(cosines, baseline, totalInScope)
      const ranked = rank(cosines).slice(0, limit)
      const hits = this.#services.denseSearch.onlyFills ? ranked : marked(ranked, isNear)
      const fits = !hits.length || fitsByWords(query, byWords, totalInScope) || [...cosines.keys()].some(isNear)
      return { restsOn: hits, read: this.#read(searched, { hits, totalInScope }, withFit(fits, warnings), model) }
    })
  }

  /**
   * Reads the hits that scope and filters still admit. What says of which state of the database that was goes along:
   * the last change, the stamp where there are vectors, and the numbers of the vectors where a model is named.
   */
  async #read({ wording }: Searched, hits: Hits, warnings: string[], model?: string) {
    const { field, scope, filters = {}, columns = foundColumns, within } = this.#query
    const { byKey, change, numbers, stamp } = await readByKey<Stored>(this.#db, this.#tenant, {
      keys: hits.hits.map(({ key }) => key),
      condition: admits(scope, filters),
      columns,
      within,
      ...(model !== undefined && { vectors: { field, model } }),
      ...(this.#vectors && { stamp: this.#services.knownKeys.stamp(this.#tenant) }),
    })
    const found = hits.hits.flatMap(({ key, ...hit }) => {
      const judgment = byKey.get(key)
      return judgment ? [{ judgment, ...hit }] : []
    })
    const told = withNothing(this.#query, hits, warnings)
    return { found, totalInScope: hits.totalInScope, wording, warnings: told, change, numbers, stamp }
  }

  #embed(): Promise<Embedded> {
    return this.#services.denseSearch.embed(this.#db, this.#tenant, this.#query.query, this.#vectors)
  }
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
