import type { WorkerContext } from '../../platform/context.ts'
import { type Db, empty, raw, sql } from '../../platform/db/db.ts'
import { firstIdAt } from '../../platform/id.ts'
import type { Source } from '../../platform/work/worker.ts'
import { keptSince } from './delivery/retention.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const EVERY_MS = 600_000
const BATCH = 1_000
const LOCK_TIMEOUT_MS = 500
// So many weeks to come have their partitions ready.
const WEEKS_AHEAD = 2

/** What is partitioned by the week of an event id, and the column of that. */
const PARTITIONED = { webhook_settled: 'event_id', webhook_earlier_attempt: 'event_id', event: 'id' } as const
type Partitioned = keyof typeof PARTITIONED
const TABLES = Object.keys(PARTITIONED) as Partitioned[]

/**
 * Makes the partitions of the weeks to come and drops those of which all is older than the retention. What was written
 * while there was none for its week goes a small batch at a time. Events that wait to be sent outlive their week.
 */
export function webhookPruning({ db, services: { clock, config } }: Pick<WorkerContext, 'db' | 'services'>): Source {
  let nextAt = 0
  let isPruning = false
  return {
    name: 'webhook pruning',
    work: async () => {
      const now = clock.now()
      // What is being sent again at the end of the retention is queued by then.
      const before = firstIdAt('msg_', keptSince(config, now - HOUR_MS))
      if (now >= nextAt) {
        nextAt = now + EVERY_MS
        isPruning = true
        await movePartitions(db, now, before)
      }
      if (!isPruning) return 0
      let removed = 0
      for (const table of TABLES) removed ||= await pruneRest(db, table, before)
      isPruning = removed > 0
      return removed
    },
  }
}

/** Removes what is old from the rows of a table that are in the partition of no week; answers how many. */
async function pruneRest(db: Db, table: Partitioned, before: string): Promise<number> {
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
        -- Offset: looked up event by event for sure, never joined in whole.
        where r.api_key = k.id and r.${id} < ${before} ${table === 'event' ? sql`and not ${isPending}` : empty}
        order by r.${id}
        limit ${BATCH}
      ) o
      limit ${BATCH}
    ))
    returning api_key`)
  return removed.length
}

/** A week's partitions are made before it begins, and dropped when all of it is old. */
async function movePartitions(db: Db, now: number, before: string): Promise<void> {
  const existing = await partitions(db)
  const current = Math.floor(now / WEEK_MS)
  for (const table of TABLES) {
    for (let week = current; week <= current + WEEKS_AHEAD; week++) {
      if (!existing.some((other) => other.table === table && other.week === week)) {
        await db.query(promptly(`perform make_week('${table}', ${week})`))
      }
    }
  }
  for (const { table, week } of existing) {
    if (firstIdAt('msg_', (week + 1) * WEEK_MS) <= before) await db.query(promptly(dropWeek(table, week)))
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

// Names and bounds are made of a number.
function dropWeek(table: Partitioned, week: number): string {
  const name = nameOf(table, week)
  // Locked first: when another process drops it between the look for it and its lock, the drop alone fails.
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

// It locks out everybody, and whoever writes to the table would queue behind it while it waits for a reader, as a backup
// is. When it gives up it is tried again with the next pruning. Utility statements take no parameters.
const promptly = (statement: string) => sql`
  do $$
  begin
    perform set_config('lock_timeout', '${raw(String(LOCK_TIMEOUT_MS))}', true);
    ${raw(statement)};
  end
  $$`
