import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import type { TextField } from '../judgment/indexed-judgment.ts'
import { type VectorNumbers, vectorNumber } from '../vectors/nearest.ts'

/** The rows that were read, and the state of the database at that moment. */
export interface ReadByKey<Row> {
  byKey: Map<string, Row>
  /** The last change number of the API key's judgments. */
  change: number
  /** The time of the database in epoch milliseconds. */
  now: number
  /** The vector numbers, if they were asked for. */
  numbers: VectorNumbers
  /** The stamp, if it was asked for. */
  stamp: string
}

interface Wanted {
  keys: string[]
  condition: Sql
  columns: Sql
  vectors?: { field: TextField; model: string }
  /** What `KnownKeys` knows of the API key. */
  stamp?: Sql
  /** Only the first of the keys that hold less than `bytes` together, and at least one; `size` is what one holds. */
  within?: { bytes: number; size: Sql } | undefined
}

/**
 * Reads columns of the judgments `j` with the given keys that meet a condition. `columns` must not contain `key` or
 * `vector`.
 */
export async function readByKey<Row extends object>(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { keys, condition, columns, vectors, stamp: known = sql`''`, within }: Wanted,
): Promise<ReadByKey<Row>> {
  // `offset 0` forces one look-up per key, whatever the planner estimates. It hides the number of keys from the
  // planner, which can then reuse its plan.
  type Found = Row & { key: string; vector: number | null }
  const rows = await db.query<{ change: number; now: number; stamp: string } & ({ key: null } | Found)>(sql`
    select l.change, now_ms() as now, ${known} as stamp, f.*
    from (select coalesce((select change from judgment_log where api_key = ${apiKey}), 0) as change) l
    left join (
      select j.key, ${vectors ? vectorNumber(vectors.field, vectors.model) : sql`null`} as vector, ${columns}
      from (
        select j.*, ${within ? bytesBefore(within.size) : sql`0`} as bytes_before
        from unnest((select ${keys}::uuid[])) with ordinality as k (key, place)
        cross join lateral (select * from judgment where api_key = ${apiKey} and key = k.key offset 0) j
        offset 0
      ) j
      where ${condition} and j.bytes_before < ${within?.bytes ?? 1}::bigint
    ) f on true`)
  const [{ change, now, stamp } = { change: 0, now: 0, stamp: '' }] = rows
  const found = rows.flatMap((row) => (row.key === null ? [] : [row]))
  return {
    byKey: new Map(found.map((row) => [row.key, row])),
    change,
    now,
    stamp,
    numbers: new Map(found.map(({ key, vector }) => [key, vector])),
  }
}

const bytesBefore = (size: Sql) => sql`sum(${size}) over (order by k.place) - (${size})`
