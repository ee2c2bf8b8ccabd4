import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { SIDED_DECISIONS } from './decision-side.ts'
import type { JudgmentFilters, MemoryScope, TextField } from './indexed-judgment.ts'
import type { JudgmentTable } from './judgment-table.ts'
import { admits as admitting } from './scope.ts'
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
export type Hindrance = 'loading' | 'too-large'

/** As many are compared with what other means find. */
const NEAREST = 200
/** Where fewer than this part of the judgments are admitted, their vectors are looked up instead of passing over the others. */
const SELECTIVE = 4

/**
 * The cosines of the 200 judgments nearest to a vector among those that scope and filters admit (of more than 8,192 in the
 * memory of the process: of almost all of them, as `VectorColumn` finds them), and of those also asked for; judgments
 * without a vector are not among them. In the memory of this process where there is room, else exactly by pgvector where
 * the database has it.
 */
export async function nearest(
  db: Db,
  tenant: ApiKeyTenant,
  state: VectorState,
  { cache, table }: { cache: VectorCache; table: JudgmentTable },
  query: NearestQuery,
): Promise<Map<string, number> | Hindrance> {
  const column = await cache.find(db, tenant, query.field, state)
  if (column === 'too-large' && state.hasPgvector) return byPgvector(db, tenant, state.model, query)
  if (typeof column === 'string') return column
  return inMemory(db, tenant, state.model, { column, table }, query)
}

/** Compares until no vector is among the nearest that was replaced or removed meanwhile. */
async function inMemory(
  db: Db,
  { apiKey }: ApiKeyTenant,
  model: string,
  { column, table }: { column: VectorColumn; table: JudgmentTable },
  { field, vector, scope, filters, voters, also }: NearestQuery,
): Promise<Map<string, number>> {
  for (;;) {
    // A copy: other searches go on between the slices of the comparison, and use the same flags.
    const admission = voters ? table.voters(scope) : table.admit(scope, filters)
    const flags = admission.flags.slice(0, table.count)
    const isSelective = admission.count < table.count / SELECTIVE
    const among = isSelective ? table.recordIds.filter((_, row) => flags[row] === 1) : undefined
    const admits = (key: string) => flags[table.rowOf(key) ?? -1] === 1
    const found = await column.nearest(vector, { admits, among, count: NEAREST, also })
    const numbers = new Map(Array.from(found.keys(), (key) => [key, column.numberOf(key)]))
    const rows = await db.query<{ key: string; number: number }>(sql`
      select key, number
      from judgment_vector
      where api_key = ${apiKey} and key = any(${[...numbers.keys()]}::uuid[]) and field = ${field} and model = ${model}`)
    for (const { key, number } of rows) if (numbers.get(key) === number) numbers.delete(key)
    if (numbers.size === 0) return found
    for (const [key, number] of numbers) if (column.numberOf(key) === number) column.remove(key)
  }
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
