import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'

/** What was read of judgments, and as of when. */
export interface ReadByKey<Row> {
  byKey: Map<string, Row>
  /** The number of the last change to judgments of the API key. */
  change: number
  /** The time of the database in epoch milliseconds. */
  now: number
}

/** Columns of `judgment j` for those of the keys that meet a condition over it; `columns` name no `key`. */
export async function readByKey<Row extends object>(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { keys, condition, columns }: { keys: string[]; condition: Sql; columns: Sql },
): Promise<ReadByKey<Row>> {
  // One look-up per key, whatever the planner hopes of the condition. That it does not see how many there are keeps it
  // from planning anew at every call.
  const rows = await db.query<{ change: number; now: number } & ({ key: null } | (Row & { key: string }))>(sql`
    select l.change, now_ms() as now, f.*
    from (select coalesce((select change from judgment_log where api_key = ${apiKey}), 0) as change) l
    left join (
      select j.key, ${columns}
      from (
        select j.*
        from unnest((select ${keys}::uuid[])) as k (key)
        cross join lateral (select * from judgment where api_key = ${apiKey} and key = k.key offset 0) j
        offset 0
      ) j
      where ${condition}
    ) f on true`)
  const [{ change, now } = { change: 0, now: 0 }] = rows
  const byKey = new Map(rows.flatMap((row) => (row.key === null ? [] : [[row.key, row] as const])))
  return { byKey, change, now }
}
