import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import type { TextField } from '../judgment/indexed-judgment.ts'
import { type VectorNumbers, vectorNumber } from '../vectors/nearest.ts'

/** What was read of judgments, and as of when. */
export interface ReadByKey<Row> {
  byKey: Map<string, Row>
  /** The number of the last change to judgments of the API key. */
  change: number
  /** The time of the database in epoch milliseconds. */
  now: number
  /** What vectors there are of a text, where that was asked. */
  numbers: VectorNumbers
}

interface Wanted {
  keys: string[]
  condition: Sql
  columns: Sql
  vectors?: { field: TextField; model: string }
}

/** Columns of `judgment j` for those of the keys that meet a condition over it; `columns` name no `key` and no `vector`. */
export async function readByKey<Row extends object>(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { keys, condition, columns, vectors }: Wanted,
): Promise<ReadByKey<Row>> {
  // One look-up per key, whatever the planner hopes of the condition. That it does not see how many there are keeps it
  // from planning anew at every call.
  type Found = Row & { key: string; vector: number | null }
  const rows = await db.query<{ change: number; now: number } & ({ key: null } | Found)>(sql`
    select l.change, now_ms() as now, f.*
    from (select coalesce((select change from judgment_log where api_key = ${apiKey}), 0) as change) l
    left join (
      select j.key, ${vectors ? vectorNumber(vectors.field, vectors.model) : sql`null`} as vector, ${columns}
      from (
        select j.*
        from unnest((select ${keys}::uuid[])) as k (key)
        cross join lateral (select * from judgment where api_key = ${apiKey} and key = k.key offset 0) j
        offset 0
      ) j
      where ${condition}
    ) f on true`)
  const [{ change, now } = { change: 0, now: 0 }] = rows
  const found = rows.flatMap((row) => (row.key === null ? [] : [row]))
  return {
    byKey: new Map(found.map((row) => [row.key, row])),
    change,
    now,
    numbers: new Map(found.map(({ key, vector }) => [key, vector])),
  }
}
