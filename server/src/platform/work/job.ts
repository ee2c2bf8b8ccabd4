import type { ApiKeyTenant, RenewedKeys, Services } from '../context.ts'
import { type Database, type Db, json, sql, type Transaction } from '../db/db.ts'
import { createEmit, type Emit, type Enqueue, type Subscription } from '../event.ts'
import { type Backlog, MOST_COUNTED } from './backlog.ts'
import type { Source } from './worker.ts'

/** What a job works with. `db` is one transaction that also removes the job, so its effects happen once. */
export interface JobContext extends Services {
  db: Transaction
  tenant: ApiKeyTenant
  emit: Emit
  enqueue: Enqueue
}

/** Work that runs after the commit of the transaction that enqueued it, in any process, until it succeeds. */
export interface Job<Payload extends object = object> {
  readonly name: string
  run(context: JobContext, payload: Payload): Promise<void>
  /** The tenant that it runs for, where that is not the API key as it is now. */
  tenantOf?(tenant: ApiKeyTenant, payload: Payload): ApiKeyTenant
}

/** Declares a job. Its rows store `name`, so the name must not change while any are queued. */
export const job = <Payload extends object>(declaration: Job<Payload>): Job<Payload> => declaration

// A stop waits for the batch, and no other process can take its jobs. Smaller ones claim too often.
const BATCH = 16
/** Jobs of a process that run at a time. Each takes a connection for writes, and requests need these too. */
const PARALLEL = 4
// A round ends after so many API keys at the latest.
const MOST_SERVED = 1_000
const LEASE_MS = 60_000
/** After this many attempts someone must investigate; until then the job is retried hourly. */
const ALARMING_ATTEMPT = 20
const SLOW_MS = 3_600_000

interface Claimed {
  id: number
  api_key: string
  workspace_id: string
  name: string
  payload: object
  attempt: number
  traceparent: string | null
}

/**
 * Creates `enqueue` for one transaction and tenant: one statement for all payloads. It calls `wake` if there are any.
 */
export function createEnqueue(db: Transaction, tenant: ApiKeyTenant, services: Services, wake = () => {}): Enqueue {
  return async (declared, payloads, runAt = services.clock.now()) => {
    if (payloads.length === 0) return
    wake()
    db.send(sql`
      insert into job (api_key, workspace_id, name, payload, run_at, traceparent)
      select ${tenant.apiKey}, ${tenant.workspaceId}, ${declared.name}, p, ${runAt}::bigint,
        ${services.tracing.current()}::text
      from unnest(${payloads.map(json)}::jsonb[]) as p`)
  }
}

interface QueueOptions {
  database: Database
  services: Services
  jobs: Job[]
  subscriptions: Subscription[]
}

/**
 * The queue as a source of work: claims due jobs in batches and runs them, each in its own transaction. API keys take
 * turns: after a batch, those of other keys come first, so that a long queue of one key delays another's by one batch.
 * Jobs that this process does not know are left to processes of a later version, which enqueued them.
 */
export function jobQueue(options: QueueOptions): Source & { work(): Promise<number> } {
  const { database, services } = options
  const jobs = new Map(options.jobs.map((declared) => [declared.name, declared]))
  // Prometheus sees no increase where a counter begins with its first event.
  for (const job of jobs.keys()) services.metrics.jobsProcessed.inc({ job, outcome: 'exhausted' }, 0)
  const served = new Set<string>()
  const claimFor = (keysServed: string[]) => claim(database, services.clock.now(), [...jobs.keys()], keysServed)
  const claimNext = async () => {
    const claimed = await claimFor([...served])
    if (claimed.length === BATCH && served.size < MOST_SERVED) {
      for (const { api_key } of claimed) served.add(api_key)
      return claimed
    }
    // The last batch of a round is not full. Then all keys have had their turn.
    const isFirst = served.size === 0
    served.clear()
    return claimed.length > 0 || isFirst ? claimed : claimFor([])
  }
  return {
    name: 'jobs',
    work: async () => {
      const claimed = await claimNext()
      let next = 0
      const runNext = async () => {
        for (let row = claimed[next++]; row; row = claimed[next++]) await runOne(options, jobs, row)
      }
      await Promise.all(Array.from({ length: PARALLEL }, runNext))
      return claimed.length
    },
    // Unknown ones too, as in the backlog: a loop that does not turn while work is due counts as stuck.
    due: () => {
      const now = services.clock.now()
      return sql`exists (select from job where run_at <= ${now}::bigint and locked_until <= ${now}::bigint)`
    },
    backlog: async (db, now) => {
      const waiting = await measureJobs(db, now)
      return [...new Set([...jobs.keys(), ...waiting.keys()])].map((type) => ({
        queue: 'jobs',
        type,
        depth: waiting.get(type)?.depth ?? 0,
        oldestAt: waiting.get(type)?.oldestAt ?? null,
      }))
    },
  }
}

/** The due jobs that no process has claimed, by name, of the oldest 10,000. */
async function measureJobs(db: Db, now: number): Promise<Map<string, Pick<Backlog, 'depth' | 'oldestAt'>>> {
  const rows = await db.query<{ name: string; depth: number; oldestAt: number }>(sql`
    select name, count(*) as depth, min(run_at) as "oldestAt"
    from (
      select name, run_at, locked_until
      from job
      where run_at <= ${now}::bigint
      order by run_at, id
      limit ${MOST_COUNTED}
    ) due
    where locked_until <= ${now}::bigint
    group by name`)
  return new Map(rows.map(({ name, ...backlog }) => [name, backlog]))
}

// Passing over the jobs of keys that had their turn reads them: 13 ms for 100,000 on two cores.
// The rows are updated by ctid: by id, each claim of the embedded database read the whole queue.
// The lease outlives any transaction. When a process dies, others take its jobs after the lease ends. So a job that
// kills its process is retried slowly, too.
function claim(db: Db, now: number, names: string[], served: string[]): Promise<Claimed[]> {
  return db.query<Claimed>(sql`
    with mine as materialized (
      select ctid as tid
      from job
      where run_at <= ${now}::bigint and locked_until <= ${now}::bigint and name = any(${names}::text[])
        and api_key <> all(${served}::text[])
      order by run_at, id
      limit ${BATCH}
      for update skip locked
    )
    update job j
    set
      attempt = j.attempt + 1,
      locked_until = case
        when j.attempt < ${ALARMING_ATTEMPT} then ${now + LEASE_MS}::bigint
        else ${now + SLOW_MS}::bigint
      end
    from mine m
    where j.ctid = m.tid
    returning j.id, j.api_key, j.workspace_id, j.name, j.payload, j.attempt, j.traceparent`)
}

async function runOne(options: QueueOptions, jobs: Map<string, Job>, row: Claimed): Promise<void> {
  const { database, services, subscriptions } = options
  try {
    const declared = jobs.get(row.name) as Job
    const span = { kind: 'consumer', attributes: aboutJob(row), parent: row.traceparent } as const
    await services.tracing.span(`job ${row.name}`, span, () =>
      database.transaction(async (db) => {
        // The attempt number fences off a process whose lease ended while it was stuck.
        const [mine] = await db.query<{ organizationKeys: RenewedKeys | null }>(sql`
          delete from job
          where api_key = ${row.api_key} and id = ${row.id} and attempt = ${row.attempt}
          returning (select organization_keys from api_key where id = ${row.api_key}) as "organizationKeys"`)
        if (!mine) return
        const ofKey = {
          apiKey: row.api_key,
          workspaceId: row.workspace_id,
          organizationKeys: mine.organizationKeys ?? undefined,
        }
        const tenant = declared.tenantOf?.(ofKey, row.payload) ?? ofKey
        const enqueue = createEnqueue(db, tenant, services)
        const emit = createEmit(subscriptions, { db, tenant, enqueue, ...services })
        await declared.run({ db, tenant, emit, enqueue, ...services }, row.payload)
      }),
    )
    services.metrics.jobsProcessed.inc({ job: row.name, outcome: 'done' })
  } catch (error) {
    services.metrics.jobsProcessed.inc({ job: row.name, outcome: 'failed' })
    services.log.error({ err: error, job: row.name, attempt: row.attempt }, 'job failed')
    if (row.attempt === ALARMING_ATTEMPT) reportExhausted(services, row)
    await postpone(database, row, services.clock.now() + backoff(row.attempt), String(error))
  }
}

const aboutJob = ({ workspace_id, attempt }: Claimed) => ({
  'messaging.operation.name': 'process',
  'precedent.workspace_id': workspace_id,
  'precedent.attempt': attempt,
})

function reportExhausted({ metrics, log }: Services, { name, id, workspace_id: workspaceId, attempt }: Claimed): void {
  metrics.jobsProcessed.inc({ job: name, outcome: 'exhausted' })
  log.error({ job: name, id, workspaceId, attempt }, 'job has used up its attempts; it is tried hourly from now on')
}

const backoff = (attempt: number) => Math.min(1_000 * 2 ** attempt, SLOW_MS)

async function postpone(db: Db, row: Claimed, runAt: number, error: string): Promise<void> {
  await db.query(sql`
    update job
    set run_at = ${runAt}::bigint, locked_until = 0, last_error = ${error.slice(0, 1000)}
    where api_key = ${row.api_key} and id = ${row.id} and attempt = ${row.attempt}`)
}
