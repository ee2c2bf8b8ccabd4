import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { yieldToEventLoop } from '../../../platform/turns/yield.ts'
import { SIDED_DECISIONS } from '../judgment/decision-polarity.ts'
import type { JudgmentFilters, MemoryScope, TextField } from '../judgment/indexed-judgment.ts'
import { admits } from '../judgment/scope.ts'
import type { JudgmentTable } from '../lexical/judgment-table.ts'
import type { VectorCache } from './vector-cache.ts'
import type { VectorColumn } from './vector-column.ts'
import type { VectorState } from './vector-progress.ts'

/** The judgments that are compared with a query. */
export interface NearestQuery {
  field: TextField
  vector: Float32Array
  scope: MemoryScope
  filters?: JudgmentFilters
  /** Only those with a side. */
  voters?: boolean
  /** Keys of admitted judgments that are compared even if they are far. */
  also: string[]
}

/** Why vectors could not be compared. */
export type VectorsUnavailable = 'loading' | 'too-large'

/** The number of nearest judgments that are fused with those found by words. */
const NEAREST = 200
/** Of votes fewer do: a suggestion weighs at most 50. */
const NEAREST_VOTES = 100

/** How many judgments are found by their vectors. */
export const countNearest = (voters: boolean | undefined): number => (voters ? NEAREST_VOTES : NEAREST)

/** The answer that a caller computes from the cosines, and the judgments that it depends on. */
export interface Ranked<Answer extends { numbers: VectorNumbers }> {
  restsOn: readonly { key: string }[]
  read: Promise<Answer>
}
/** The vector numbers in the database of the judgments that were read; null without a vector. */
export type VectorNumbers = ReadonlyMap<string, number | null>

/** SQL: the number of the vector of a text of `judgment j`; null without one. */
export const vectorNumber = (field: TextField, model: string): Sql => sql`(
  select number
  from judgment_vector v
  where v.api_key = j.api_key and v.key = j.key and v.field = ${field} and v.model = ${model})`

/**
 * Ranks the nearest judgments that scope and filters admit (200, or 100 votes), and those also asked for, by their
 * cosines. Judgments without a vector are left out. Vectors are compared in memory, where `VectorColumn` says how
 * exactly; if they do not fit, pgvector compares them exactly. The answer has the vector numbers of its read. If a
 * vector was replaced or removed meanwhile, the ranking is repeated without it.
 */
export async function nearest<Answer extends { numbers: VectorNumbers }>(
  { db, tenant, state, cache, index }: Searched,
  query: NearestQuery,
  rank: (cosines: Map<string, number>) => Ranked<Answer>,
): Promise<Answer | VectorsUnavailable> {
  const column = await cache.find(db, tenant, query.field, state)
  if (column === 'too-large' && state.hasPgvector) {
    return rank(await byPgvector(db, tenant, state.model, query)).read
  }
  if (typeof column === 'string') return column
  for (;;) {
    const cosines = await inMemory(column, index, query)
    const { restsOn, read } = rank(cosines)
    const compared = restsOn.flatMap(({ key }) => (cosines.has(key) ? [{ key, number: column.numberOf(key) }] : []))
    const answer = await read
    const { numbers } = answer
    const outdated = compared.filter(({ key, number }) => numbers.has(key) && numbers.get(key) !== number)
    if (outdated.length === 0) return answer
    for (const { key, number } of outdated) if (column.numberOf(key) === number) column.remove(key)
  }
}

/** The judgments that are searched, and their vectors. */
interface Searched {
  db: Db
  tenant: ApiKeyTenant
  state: VectorState
  cache: VectorCache
  index: TableHolder
}

/** An index, whose table may be replaced at any time. */
export interface TableHolder {
  readonly table: JudgmentTable
}

async function inMemory(
  column: VectorColumn,
  index: TableHolder,
  { vector, scope, filters, voters, also }: NearestQuery,
): Promise<Map<string, number>> {
  while (!column.align(index.table)) await yieldToEventLoop()
  const { table } = index
  const filter = voters ? table.voters(scope) : table.admit(scope, filters)
  return column.nearest(vector, { filter, count: countNearest(voters), also })
}

async function byPgvector(
  db: Db,
  { apiKey }: ApiKeyTenant,
  model: string,
  { field, vector, scope, filters, voters, also }: NearestQuery,
): Promise<Map<string, number>> {
  const condition = voters
    ? sql`${admits(scope)} and j.decision_value = any(${SIDED_DECISIONS})`
    : admits(scope, filters)
  const cosine = sql`-(v.embedding::vector <#> ${`[${vector.join(',')}]`}::vector)`
  const ofTexts = sql`v.api_key = ${apiKey} and v.field = ${field} and v.model = ${model} and v.embedding is not null`
  const rows = await db.query<{ key: string; cosine: number }>(sql`
    (
      select v.key, ${cosine} as cosine
      from judgment_vector v
      join judgment j on j.api_key = v.api_key and j.key = v.key
      where ${ofTexts} and ${condition}
      order by cosine desc
      limit ${countNearest(voters)}
    )
    union
    select v.key, ${cosine} from judgment_vector v where ${ofTexts} and v.key = any(${also}::uuid[])`)
  return new Map(rows.map(({ key, cosine: value }) => [key, value]))
}
