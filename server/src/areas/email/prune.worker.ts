import type { WorkerContext } from '../../platform/context.ts'
import { DAY_MS } from '../../platform/date-range.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { pruning } from '../../platform/work/pruning.ts'
import type { Source } from '../../platform/work/worker.ts'

const BATCH = 1_000

/** Deletes settled emails after the retention time of deliveries, in small batches. */
export const emailPruning = ({ db, services: { clock, config } }: Pick<WorkerContext, 'db' | 'services'>): Source =>
  pruning('email pruning', clock, (now) => prune(db, now - config.webhookRetentionDays * DAY_MS))

async function prune(db: Db, before: number): Promise<number> {
  const removed = await db.query(sql`
    with old as (
      select o.*
      from api_key k
      cross join lateral (
        select e.api_key, e.id
        from email e
        where e.api_key = k.id and e.status in ('sent', 'failed', 'skipped') and e.due_at < ${before}::bigint
        order by e.due_at
        limit ${BATCH}
      ) o
      limit ${BATCH}
    )
    delete from email e
    using old
    where e.api_key = old.api_key and e.id = old.id
    returning e.id`)
  return removed.length
}
