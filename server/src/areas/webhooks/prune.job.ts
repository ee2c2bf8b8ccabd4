import type { Services } from '../../platform/context.ts'
import { type Db, raw, sql } from '../../platform/db/db.ts'
import { firstIdAt } from '../../platform/id.ts'
import type { Source } from '../../platform/worker.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const EVERY_MS = 600_000
const BATCH = 1_000
const LOCK_TIMEOUT_MS = 500
// Attempts of so many weeks to come have their partitions ready.
const WEEKS_AHEAD = 2

/** Makes the partitions of the weeks to come, then forgets what is older than the retention, a small batch at a time. */
export function webhookPruning({ db, services: { clock, config } }: { db: Db; services: Services }): Source {
  let nextAt = 0
  let isPruning = false
  return {
    name: 'webhook pruning',
    work: async () => {
      const now = clock.now()
      const cutoff = now - config.webhookRetentionDays * DAY_MS
      if (now >= nextAt) {
        nextAt = now + EVERY_MS
        isPruning = true
        await movePartitions(db, now, cutoff)
      }
      if (!isPruning) return 0
      const first = firstIdAt('msg_', cutoff)
      // Events after all deliveries: looking for those that are free passes over all that are not.
      const removed = (await pruneDeliveries(db, first)) || (await pruneEvents(db, first))
      isPruning = removed > 0
      return removed
    },
  }
}

/** Removes settled deliveries and what the oldest partition holds of their attempts; answers how many. */
async function pruneDeliveries(db: Db, before: string): Promise<number> {
  const removed = await db.query(sql`
    with old as (
      select o.*
      from api_key k
      cross join lateral (
        select d.api_key, d.event_id, d.endpoint_id
        from webhook_delivery d
        where d.api_key = k.id and d.event_id < ${before} and d.status in ('succeeded', 'failed', 'cancelled')
        order by d.event_id
        limit ${BATCH}
      ) o
      limit ${BATCH}
    ),
    attempt as (
      delete from webhook_attempt_rest a
      using old
      where a.api_key = old.api_key and a.event_id = old.event_id and a.endpoint_id = old.endpoint_id
    )
    delete from webhook_delivery d
    using old
    where d.api_key = old.api_key and d.event_id = old.event_id and d.endpoint_id = old.endpoint_id
      -- Unless it was queued again meanwhile.
      and d.status in ('succeeded', 'failed', 'cancelled')
    returning d.event_id`)
  return removed.length
}

/** Removes events that no delivery needs any more; answers how many. */
async function pruneEvents(db: Db, before: string): Promise<number> {
  const removed = await db.query(sql`
    with old as (
      select o.*
      from api_key k
      cross join lateral (
        select v.api_key, v.id
        from event v
        where v.api_key = k.id
          and v.id < ${before}
          -- Offset: looked up event by event for sure, never joined in whole.
          and not exists (select from webhook_delivery d where d.api_key = v.api_key and d.event_id = v.id offset 0)
        order by v.id
        limit ${BATCH}
      ) o
      limit ${BATCH}
    )
    delete from event v
    using old
    where v.api_key = old.api_key and v.id = old.id
    returning v.id`)
  return removed.length
}

/** The attempts of a week are a partition: it is made before the week begins, and dropped when all of it is old. */
async function movePartitions(db: Db, now: number, cutoff: number): Promise<void> {
  const existing = (await partitions(db)).map(({ week }) => week)
  const current = Math.floor(now / WEEK_MS)
  for (let week = current + 1; week <= current + WEEKS_AHEAD; week++) {
    if (!existing.includes(week)) await db.query(promptly(createPartition(week)))
  }
  for (const week of existing) {
    if ((week + 1) * WEEK_MS <= cutoff) await db.query(promptly(`drop table if exists ${nameOf(week)}`))
  }
}

const nameOf = (week: number) => `webhook_attempt_w${week}`

async function partitions(db: Db): Promise<{ week: number }[]> {
  return db.query<{ week: number }>(sql`
    select substring(relname from 'w([0-9]+)$')::integer as week
    from pg_class
    where relname ~ '^webhook_attempt_w[0-9]+$' and relkind = 'r'`)
}

// Both bounds are made of a number.
function createPartition(week: number): string {
  const [from, to] = [firstIdAt('msg_', week * WEEK_MS), firstIdAt('msg_', (week + 1) * WEEK_MS)]
  return `
    create table if not exists ${nameOf(week)}
    partition of webhook_attempt for values from ('${from}') to ('${to}')`
}

// It locks out everybody, and whoever records an attempt would queue behind it while it waits for a reader, as a backup
// is. When it gives up it is tried again with the next pruning. Utility statements take no parameters.
const promptly = (statement: string) => sql`
  do $$
  begin
    perform set_config('lock_timeout', '${raw(String(LOCK_TIMEOUT_MS))}', true);
    ${raw(statement)};
  end
  $$`
