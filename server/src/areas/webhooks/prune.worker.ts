import type { WorkerContext } from '../../platform/context.ts'
import { type Db, empty, raw, sql } from '../../platform/db/db.ts'
import { firstIdAt } from '../../platform/id.ts'
import type { Source } from '../../platform/work/worker.ts'
import { retentionStart } from './delivery/retention.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const EVERY_MS = 600_000
const BATCH = 1_000
const LOCK_TIMEOUT_MS = 500
// Partitions are made this many weeks in advance.
const WEEKS_AHEAD = 2

/** The tables partitioned by the week of an event id, each with its column. */
const PARTITIONED = { webhook_settled: 'event_id', webhook_earlier_attempt: 'event_id', event: 'id' } as const
type Partitioned = keyof typeof PARTITIONED
const TABLES = Object.keys(PARTITIONED) as Partitioned[]

/**
 * Makes the partitions of the coming weeks, and drops those whose rows are all older than the retention. Old rows of
 * the default partition, written while their week had none, are deleted in batches. Events with pending deliveries
 * stay.
 */
export function webhookPruning({ db, services: { clock, config } }: Pick<WorkerContext, 'db' | 'services'>): Source {
  let nextAt = 0
  let isPruning = false
  return {
    name: 'webhook pruning',
    work: async () => {
      const now = clock.now()
      // One hour of margin, so that a resend at the end of the retention is queued before its event would go.
      const before = firstIdAt('msg_', retentionStart(config, now - HOUR_MS))
      if (now >= nextAt) {
        nextAt = now + EVERY_MS
        isPruning = true
        await rotatePartitions(db, now, before)
      }
      if (!isPruning) return 0
      let removed = 0
      for (const table of TABLES) removed ||= await pruneDefaultPartition(db, table, before)
      isPruning = removed > 0
      return removed
    },
  }
}

/** Deletes a batch of old rows from the default partition of a table. Returns how many. */
async function pruneDefaultPartition(db: Db, table: Partitioned, before: string): Promise<number> {
  const [rest, id] = [raw(`${table}_rest`), raw(PARTITIONED[table])]
  const isPending = sql`exists (select from webhook_pending p where p.api_key = r.api_key and p.event_id = r.${id} offset 0)`
  const removed = await db.query(sql`
    delete from ${rest}
    where ctid = any(array(
      select o.row
      from api_key k
      cross join lateral (
        select r.ctid as row
        from ${rest} r
        -- The offset in the condition forces one look-up per event.
        where r.api_key = k.id and r.${id} < ${before} ${table === 'event' ? sql`and not ${isPending}` : empty}
        order by r.${id}
        limit ${BATCH}
      ) o
      limit ${BATCH}
    ))
    returning api_key`)
  return removed.length
}

/** Makes partitions before their week begins, and drops those that are older than the retention. */
async function rotatePartitions(db: Db, now: number, before: string): Promise<void> {
  const existing = await partitions(db)
  const current = Math.floor(now / WEEK_MS)
  for (const table of TABLES) {
    for (let week = current; week <= current + WEEKS_AHEAD; week++) {
      if (!existing.some((other) => other.table === table && other.week === week)) {
        await db.query(withLockTimeout(`perform make_week('${table}', ${week})`))
      }
    }
  }
  for (const { table, week } of existing) {
    if (firstIdAt('msg_', (week + 1) * WEEK_MS) <= before) await db.query(withLockTimeout(dropWeek(table, week)))
  }
}

const nameOf = (table: Partitioned, week: number) => `${table}_w${week}`

async function partitions(db: Db): Promise<{ table: Partitioned; week: number }[]> {
  return db.query<{ table: Partitioned; week: number }>(sql`
    select p.relname as table, substring(c.relname from 'w([0-9]+)$')::integer as week
    from pg_class c
    join pg_inherits i on i.inhrelid = c.oid
    join pg_class p on p.oid = i.inhparent
    where p.relname = any(${TABLES}::text[]) and c.relname ~ '_w[0-9]+$'
    order by week`)
}

// Safe as raw SQL: names and bounds contain only a fixed table name and a number.
function dropWeek(table: Partitioned, week: number): string {
  const name = nameOf(table, week)
  // Locked first, because `drop table if exists` fails if another process drops the table while it waits for the lock.
  if (table !== 'event') return `lock table ${table} in access exclusive mode; drop table if exists ${name}`
  return `
    lock table event in access exclusive mode;
    if to_regclass('${name}') is null then return; end if;
    alter table event detach partition ${name};
    insert into event
    select v.*
    from api_key k
    cross join lateral (
      select distinct api_key, event_id
      from webhook_pending
      where api_key = k.id and event_id >= first_id_of_week(${week}) and event_id < first_id_of_week(${week + 1})
    ) p
    join ${name} v on v.api_key = p.api_key and v.id = p.event_id;
    drop table ${name}`
}

// The statement needs an exclusive lock. While it waits for a long reader, such as a backup, all writers queue behind.
// So it gives up soon, and the next pruning retries. Utility statements take no parameters, hence the raw text.
const withLockTimeout = (statement: string) => sql`
  do $$
  begin
    perform set_config('lock_timeout', '${raw(String(LOCK_TIMEOUT_MS))}', true);
    ${raw(statement)};
  end
  $$`
