import type { WorkerContext } from '../../platform/context.ts'
import { DAY_MS } from '../../platform/date-range.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { pruning } from '../../platform/work/pruning.ts'
import type { Source } from '../../platform/work/worker.ts'

/** A process whose index is further behind reads it all again. */
const KEPT_MS = 7 * DAY_MS
const BATCH = 1_000

/** Deletes the log of deleted judgments in small batches, once every index in use has read it. */
export const judgmentPruning = ({ db, services: { clock } }: Pick<WorkerContext, 'db' | 'services'>): Source =>
  pruning('judgment pruning', clock, (now) => prune(db, now - KEPT_MS))

/** Removes the first log entries of each API key that are old enough, and records up to where. Returns how many. */
async function prune(db: Db, before: number): Promise<number> {
  const removed = await db.query(sql`
    with old as (
      select o.*
      from api_key k
      cross join lateral (
        select *
        from (
          select d.api_key, d.key, d.change, d.deleted_at
          from judgment_deletion d
          where d.api_key = k.id
          order by d.change
          limit ${BATCH}
        ) first
        where deleted_at < ${before}::bigint
      ) o
      limit ${BATCH}
    ),
    noted as (
      update judgment_log l
      set pruned_to = greatest(l.pruned_to, o.change)
      from (select api_key, max(change) as change from old group by api_key) o
      where l.api_key = o.api_key
    )
    delete from judgment_deletion d
    using old
    where d.api_key = old.api_key and d.key = old.key and d.change = old.change
    returning d.key`)
  return removed.length
}
