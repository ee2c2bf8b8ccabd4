import { hostname } from 'node:os'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { type Db, json, sql } from '../db/db.ts'
import { randomId } from '../id.ts'
import type { Log } from '../log.ts'
import { seldom } from '../seldom.ts'
import { VERSION } from '../settings/version.ts'

const EVERY_MS = 10_000
/** How often the event loop's delay is measured: each time wakes the process, and costs an idle one a little CPU. */
const MEASURED_EVERY_MS = 100
/** A process that was not seen for this long has ended without saying so. */
export const GONE_MS = 600_000

/** What a process says of itself with each beat. */
export interface ProcessState {
  /** How late timers were since the beat before, at the 99th percentile, in milliseconds. */
  eventLoopDelayMs: number
  /** By how much the clock of its machine is behind the clock of the database, in milliseconds. */
  clockOffsetMs: number
  memoryBytes: number
  /** What the indexes of judgments take of it, and may take. */
  index: { lexicalBytes: number; vectorBytes: number; limitBytes: number }
  /** Whether it sends emails through the operator's mail server. */
  sendsMail: boolean
  connections: { most: number; open: number; inUse: number; waiting: number }
}

interface Options {
  db: Db
  log: Pick<Log, 'warn'>
  role: string
  read: () => Pick<ProcessState, 'index' | 'sendsMail' | 'connections'>
}

/** Lists this process among those that run, until it stops. A beat is one statement every ten seconds. */
export class Heartbeat {
  readonly #options: Options
  readonly #missed: (error: unknown) => void
  readonly #id = randomId('prc_')
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: MEASURED_EVERY_MS })
  #offset = 0
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.#missed = seldom((err, failures) => options.log.warn({ err, failures }, 'no heartbeat'))
  }

  /** Beats once and then every ten seconds. */
  async start(): Promise<void> {
    this.#delay.enable()
    await this.beat()
    this.#timer = setInterval(() => void this.beat(), EVERY_MS).unref()
  }

  /** Renews the row. Never rejects: a process works on without it. */
  beat(): Promise<void> {
    this.#beating = this.#write().catch(this.#missed)
    return this.#beating
  }

  /** Takes the process off the list. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#delay.disable()
    await this.#beating
    await this.#options.db.query(sql`delete from service_process where id = ${this.#id}`).catch(() => {})
  }

  async #write(): Promise<void> {
    const { db, role, read } = this.#options
    const { rss } = process.memoryUsage()
    // It holds the times between measurements.
    const lateMs = Math.max(0, this.#delay.percentile(99) / 1e6 - MEASURED_EVERY_MS)
    const state: ProcessState = {
      eventLoopDelayMs: Math.round(lateMs * 10) / 10,
      clockOffsetMs: this.#offset,
      memoryBytes: rss,
      ...read(),
    }
    this.#delay.reset()
    const sent = Date.now()
    const [row] = await db.query<{ now: number }>(sql`
      with gone as (delete from service_process where seen_at < now_ms() - ${GONE_MS} and id <> ${this.#id})
      insert into service_process (id, host, pid, role, version, started_at, seen_at, state)
      values (${this.#id}, ${hostname()}, ${process.pid}, ${role}, ${VERSION},
        now_ms() - ${Math.round(process.uptime() * 1000)}, now_ms(), ${json(state)})
      on conflict (id) do update set seen_at = excluded.seen_at, state = excluded.state
      returning seen_at as now`)
    if (row) this.#offset = Math.round(row.now - (sent + Date.now()) / 2)
  }
}
