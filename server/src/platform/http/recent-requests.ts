import type { WorkerContext } from '../context.ts'
import { type Db, sql } from '../db/db.ts'
import type { Log } from '../log.ts'
import { seldom } from '../seldom.ts'
import { pruning } from '../work/pruning.ts'
import type { Source } from '../work/worker.ts'

/** How long a request is listed, and how many of one API key at most. */
export const KEPT_MS = 3_600_000
const KEPT_PER_KEY = 500

const FLUSH_MS = 2_000
/** Of one API key in one flush of a process: so many that succeeded, and so many that failed. */
const SAMPLE = 10
/** Of all API keys in one flush of a process. */
const MOST_WAITING = 1_000
const MOST_MESSAGE = 300

/** An answered request: without its body, its answer and any secret. */
interface RecentRequest {
  apiKey: string
  at: number
  operation: string
  status: number
  durationMs: number
  requestId: string
  errorStatus: string | null
  message: string | null
}

/**
 * Keeps a sample of the latest requests of each API key in a table that all processes share. A request costs no
 * statement: what waits is written every 2 s in one. What cannot be written is dropped.
 */
export class RecentRequests {
  readonly #db: Db
  readonly #failed: (error: unknown) => void
  #waiting: RecentRequest[] = []
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  constructor(db: Db, log: Pick<Log, 'warn'>) {
    this.#db = db
    this.#failed = seldom((err, failures) => log.warn({ err, failures }, 'recent requests could not be written'))
  }

  /** Notes a request, or drops it if the sample is full. */
  note(request: RecentRequest): void {
    const share = `${request.apiKey} ${request.errorStatus === null}`
    const count = this.#counts.get(share) ?? 0
    if (count >= SAMPLE || this.#waiting.length >= MOST_WAITING) return
    this.#counts.set(share, count + 1)
    const message = request.message === null ? null : request.message.slice(0, MOST_MESSAGE).toWellFormed()
    this.#waiting.push({ ...request, message })
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Writes what waits. Never rejects. */
  async flush(): Promise<void> {
    await this.#flushing
    clearTimeout(this.#timer)
    this.#timer = undefined
    const batch = this.#waiting
    this.#waiting = []
    this.#counts.clear()
    if (batch.length === 0) return
    this.#flushing = write(this.#db, batch).catch(this.#failed)
    await this.#flushing
  }
}

/** Appends a batch and forgets what is too much of its API keys. A key that is gone leaves nothing. */
async function write(db: Db, batch: RecentRequest[]): Promise<void> {
  await db.query(sql`
    with written as (
      insert into recent_request (api_key, at, operation, status, duration_ms, request_id, error_status, message)
      select r.*
      from unnest(
        ${batch.map(({ apiKey }) => apiKey)}::text[],
        ${batch.map(({ at }) => at)}::bigint[],
        ${batch.map(({ operation }) => operation)}::text[],
        ${batch.map(({ status }) => status)}::integer[],
        ${batch.map(({ durationMs }) => durationMs)}::double precision[],
        ${batch.map(({ requestId }) => requestId)}::text[],
        ${batch.map(({ errorStatus }) => errorStatus)}::text[],
        ${batch.map(({ message }) => message)}::text[]
      ) as r (api_key, at, operation, status, duration_ms, request_id, error_status, message)
      where exists (select from api_key k where k.id = r.api_key and not k.deleting)
      returning api_key
    )
    delete from recent_request r
    using (select distinct api_key from written) w
    cross join lateral (
      select seq
      from recent_request o
      where o.api_key = w.api_key
      order by seq desc
      offset ${KEPT_PER_KEY}
      limit 1
    ) o
    where r.api_key = w.api_key and r.seq <= o.seq`)
}

/** Forgets requests that are listed no more, every ten minutes. */
export const recentRequestPruning = ({ db, services: { clock } }: Pick<WorkerContext, 'db' | 'services'>): Source =>
  pruning('recent request pruning', clock, async () => {
    await db.query(sql`delete from recent_request where at < now_ms() - ${KEPT_MS}`)
    return 0
  })
