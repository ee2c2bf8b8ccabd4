import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { yieldToEventLoop } from '../../../platform/yield.ts'
import { SIDED_DECISIONS } from '../judgment/decision-polarity.ts'
import type { JudgmentFilters, MemoryScope, TextField } from '../judgment/indexed-judgment.ts'
import { admits as admitting } from '../judgment/scope.ts'
import type { JudgmentTable } from '../lexical/judgment-table.ts'
import type { VectorCache } from './vector-cache.ts'
import type { VectorColumn } from './vector-column.ts'
import type { VectorState } from './vector-progress.ts'

/** Which judgments are compared with a query. */
export interface NearestQuery {
  field: TextField
  vector: Float32Array
  scope: MemoryScope
  filters?: JudgmentFilters
  /** Only those that took a side. */
  voters?: boolean
  /** Keys of admitted judgments that are compared however far they are. */
  also: string[]
}

/** What stands in the way of a comparison. */
export type VectorsUnavailable = 'loading' | 'too-large'

/** As many are compared with what other means find. */
const NEAREST = 200
/** What a caller makes of the cosines of the nearest, and the judgments that it rests on. */
export interface Ranked<Answer> {
  restsOn: readonly { recordId: string }[]
  read: Promise<{ answer: Answer; numbers: VectorNumbers }>
}
/** What the database says of the judgments that were read: the number of the vector, null where it has none. */
export type VectorNumbers = ReadonlyMap<string, number | null>

/** SQL: the number of the vector of one text of `judgment j`, null without one. */
export const vectorNumber = (field: TextField, model: string): Sql => sql`(
  select number
  from judgment_vector v
  where v.api_key = j.api_key and v.key = j.key and v.field = ${field} and v.model = ${model})`

/**
 * Weighs the cosines of the 200 judgments nearest to a vector among those that scope and filters admit (of more than 8,192
 * in the memory of the process: of almost all of them, as `VectorColumn` finds them), and of those also asked for; judgments
 * without a vector are not among them. They are weighed again when what was read for the answer tells that a vector it
 * rests on was replaced or removed meanwhile. In the memory of this process where there is room, else exactly by pgvector where the database has it.
 */
export async function nearest<Answer>(
  { db, tenant, state, cache, index }: Searched,
  query: NearestQuery,
  rank: (cosines: Map<string, number>) => Ranked<Answer>,
): Promise<Answer | VectorsUnavailable> {
  const column = await cache.find(db, tenant, query.field, state)
  if (column === 'too-large' && state.hasPgvector) {
    return (await rank(await byPgvector(db, tenant, state.model, query)).read).answer
  }
  if (typeof column === 'string') return column
  for (;;) {
    const cosines = await inMemory(column, index, query)
    const { restsOn, read } = rank(cosines)
    const compared = restsOn.flatMap(({ recordId: key }) =>
      cosines.has(key) ? [{ key, number: column.numberOf(key) }] : [],
    )
    const { answer, numbers } = await read
    const outdated = compared.filter(({ key, number }) => numbers.has(key) && numbers.get(key) !== number)
    if (outdated.length === 0) return answer
    for (const { key, number } of outdated) if (column.numberOf(key) === number) column.remove(key)
  }
}

/** The judgments that are searched. */
interface Searched {
  db: Db
  tenant: ApiKeyTenant
  state: VectorState
  cache: VectorCache
  index: TableHolder
}

/** What holds the judgments that there are, at any time by its present table. */
export interface TableHolder {
  readonly table: JudgmentTable
}

async function inMemory(
  column: VectorColumn,
  index: TableHolder,
  { field: _, vector, scope, filters, voters, also }: NearestQuery,
): Promise<Map<string, number>> {
  while (!column.align(index.table)) await yieldToEventLoop()
  const { table } = index
  const filter = voters ? table.voters(scope) : table.admit(scope, filters)
  return column.nearest(vector, { filter, count: NEAREST, also })
}

async function byPgvector(
  db: Db,
  { apiKey }: ApiKeyTenant,
  model: string,
  { field, vector, scope, filters, voters, also }: NearestQuery,
): Promise<Map<string, number>> {
  const condition = voters
    ? sql`${admitting(scope)} and j.decision_value = any(${SIDED_DECISIONS})`
    : admitting(scope, filters)
  const cosine = sql`-(v.embedding::vector <#> ${`[${vector.join(',')}]`}::vector)`
  const ofTexts = sql`v.api_key = ${apiKey} and v.field = ${field} and v.model = ${model} and v.embedding is not null`
  const rows = await db.query<{ key: string; cosine: number }>(sql`
    (
      select v.key, ${cosine} as cosine
      from judgment_vector v
      join judgment j on j.api_key = v.api_key and j.key = v.key
      where ${ofTexts} and ${condition}
      order by cosine desc
      limit ${NEAREST}
    )
    union
    select v.key, ${cosine} from judgment_vector v where ${ofTexts} and v.key = any(${also}::uuid[])`)
  return new Map(rows.map(({ key, cosine: value }) => [key, value]))
}
