import type { Worker } from 'node:worker_threads'
import { startWorkerThread } from '../worker-thread.ts'
import { COLUMN_TYPES } from './column-types.ts'
import { openDataDirectory } from './data-directory.ts'
import { type Database, DatabaseError, DatabaseUnavailable, type Db, isRetryable, join, type Sql, sql } from './db.ts'
import type { Answer, Order, Report, Result, WorkerTask } from './embedded-protocol.ts'
import { toParameters } from './parameters.ts'
import { WORK_SETTINGS } from './work-settings.ts'

export interface EmbeddedOptions {
  /** A folder, created if missing, or 'memory' for a database that ends with `close()`. */
  dataDir: string
  /** Receives warnings that fail no call: maintenance that did not succeed, the loss of the database. */
  log?: (warning: string) => void
  /** How long a transaction may pause between statements before it is rolled back, since all others wait for it. */
  transactionIdleMs?: number
}

const RETRIES = 5
const TRANSACTION_IDLE_MS = 30_000

const FOR_WORK = sql`
  select ${join(Object.entries(WORK_SETTINGS).map(([name, value]) => sql`set_config(${name}, ${value}, true)`))}`

/**
 * Opens the PostgreSQL inside this process (PGlite, in a worker thread). An acknowledged write survives a kill and a
 * power loss. Refuses a directory that another process holds, or that another PostgreSQL major wrote.
 */
export async function openEmbedded({
  dataDir,
  log = () => {},
  transactionIdleMs = TRANSACTION_IDLE_MS,
}: EmbeddedOptions): Promise<Database> {
  const directory = dataDir === 'memory' ? undefined : await openDataDirectory(dataDir, createCluster)
  try {
    const engine = await Engine.start(directory?.cluster ?? dataDir, log)
    return new EmbeddedDatabase(engine, transactionIdleMs, async () => directory?.release())
  } catch (error) {
    await directory?.release()
    throw error
  }
}

/** One session for all callers: statements and transactions run one after another, in the order of their calls. */
class EmbeddedDatabase implements Database {
  readonly kind = 'embedded'
  readonly checks = this
  readonly work: Db = { query: (statement) => this.#asWorker(statement) }
  readonly #engine: Engine
  readonly #idleMs: number
  readonly #release: () => Promise<void>
  readonly #waiting: (() => void)[] = []
  #taken = false
  #closing: Promise<void> | undefined

  constructor(engine: Engine, idleMs: number, release: () => Promise<void>) {
    this.#engine = engine
    this.#idleMs = idleMs
    this.#release = release
  }

  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    const order = runOrder(statement)
    await this.#acquireSession()
    return this.#passSessionOn(readRows<Row>(this.#engine.ask(order)))
  }

  #asWorker<Row extends object>(statement: Sql): Promise<Row[]> {
    return this.transaction(async (db) => (await Promise.all([db.query(FOR_WORK), db.query<Row>(statement)]))[1])
  }

  async transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (!isRetryable(error) || tries === RETRIES) throw error
      }
    }
  }

  async script(text: string): Promise<void> {
    await this.#acquireSession()
    await this.#passSessionOn(this.#engine.ask({ do: 'script', text }))
  }

  async listen(channel: string, wake: () => void): Promise<void> {
    this.#engine.onNotify(channel, wake)
    await this.#acquireSession()
    await this.#passSessionOn(this.#engine.ask({ do: 'listen', text: `listen "${channel.replaceAll('"', '""')}"` }))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#acquireSession()
    try {
      await this.#passSessionOn(this.#engine.stop())
    } finally {
      await this.#release()
    }
  }

  async #attempt<T>(work: (db: Db) => Promise<T>): Promise<T> {
    await this.#acquireSession()
    const transaction = new EmbeddedTransaction(this.#engine, this.#idleMs)
    let result: T
    try {
      result = await Promise.race([work(transaction), transaction.expiry])
    } catch (error) {
      await this.#passSessionOn(transaction.end('rollback')).catch(() => {})
      throw error
    }
    await this.#passSessionOn(transaction.end('commit'))
    return result
  }

  /** Resolves when the session is free; the caller then holds it until `#passSessionOn`. */
  #acquireSession(): Promise<void> {
    if (!this.#taken) {
      this.#taken = true
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Passes the session on; the next caller sends its orders without waiting for the answer to the last of this one. */
  #passSessionOn<T>(answer: Promise<T>): Promise<T> {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken = false
    return answer
  }
}

/** The handle of one transaction. Statements after its end are refused. */
class EmbeddedTransaction implements Db {
  /** Rejects when the transaction has paused between statements for too long. */
  readonly expiry: Promise<never>
  readonly #engine: Engine
  readonly #idleMs: number
  #expire: (reason: Error) => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #unanswered = 0
  #ended = false

  constructor(engine: Engine, idleMs: number) {
    this.#engine = engine
    this.#idleMs = idleMs
    this.expiry = new Promise((_, reject) => {
      this.#expire = reject
    })
    this.expiry.catch(() => {})
    engine.tell({ do: 'begin' })
    this.#watch()
  }

  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    const order = runOrder(statement)
    if (this.#ended) throw new Error('The transaction of this statement has ended.')
    clearTimeout(this.#timer)
    this.#unanswered += 1
    try {
      return await readRows<Row>(this.#engine.ask(order))
    } finally {
      this.#unanswered -= 1
      this.#watch()
    }
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.#ended = true
    clearTimeout(this.#timer)
    await this.#engine.ask({ do: how })
  }

  #watch(): void {
    if (this.#unanswered > 0 || this.#ended) return
    this.#timer = setTimeout(() => {
      const message = `The transaction was rolled back after ${this.#idleMs} ms without a statement.`
      this.#expire(new DatabaseError(message, '25P03', undefined))
    }, this.#idleMs)
  }
}

type Question =
  Exclude<Order, { do: 'begin' }> extends infer Each ? (Each extends Order ? Omit<Each, 'id'> : never) : never

/** The worker thread with the session: sends it orders and returns each answer to its caller. */
class Engine {
  readonly #worker: Worker
  readonly #asked = new Map<number, { resolve: (result: Result) => void; reject: (error: Error) => void }>()
  readonly #wakes = new Map<string, Set<() => void>>()
  readonly #log: (warning: string) => void
  #ids = 0
  #lost: DatabaseUnavailable | undefined

  private constructor(worker: Worker, log: (warning: string) => void) {
    this.#worker = worker
    this.#log = log
  }

  static start(cluster: string, log: (warning: string) => void): Promise<Engine> {
    return new Promise((resolve, reject) => {
      const task: WorkerTask = { task: 'serve', cluster }
      const worker = startWorkerThread('embedded-worker', import.meta.url, task)
      const engine = new Engine(worker, log)
      worker.on('message', (report: Report) => {
        if ('ready' in report) resolve(engine)
        else engine.#receive(report)
      })
      worker.on('error', (error) => engine.#lose(error.message))
      worker.on('exit', () => {
        engine.#lose('The embedded database has ended.')
        reject(engine.#lost)
      })
    })
  }

  ask(question: Question): Promise<Result> {
    if (this.#lost) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      const id = this.#ids++
      this.#asked.set(id, { resolve, reject })
      this.tell({ ...question, id })
    })
  }

  tell(order: Order): void {
    this.#worker.postMessage(order)
  }

  onNotify(channel: string, wake: () => void): void {
    this.#wakes.set(channel, (this.#wakes.get(channel) ?? new Set()).add(wake))
  }

  async stop(): Promise<void> {
    if (this.#lost) return
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve))
    const closed = this.ask({ do: 'close' })
    this.#lost = new DatabaseUnavailable('The embedded database is closed.')
    await Promise.race([closed, ended])
    await ended
  }

  #receive(report: Exclude<Report, { ready: true }>): void {
    if ('answers' in report) for (const answer of report.answers) this.#deliver(answer)
    else if ('notified' in report) {
      for (const channel of report.notified) for (const wake of this.#wakes.get(channel) ?? []) wake()
    } else if ('warning' in report) this.#log(report.warning)
    else this.#lose(report.lost)
  }

  #deliver(answer: Answer): void {
    const caller = this.#asked.get(answer.id)
    this.#asked.delete(answer.id)
    if ('result' in answer) caller?.resolve(answer.result)
    else caller?.reject(new DatabaseError(answer.refusal.message, answer.refusal.code, answer.refusal.constraint))
  }

  #lose(reason: string): void {
    if (this.#lost) return
    this.#lost = new DatabaseUnavailable(reason)
    this.#log(`The embedded database is lost until the next start: ${reason}`)
    for (const { reject } of this.#asked.values()) reject(this.#lost)
    this.#asked.clear()
  }
}

function createCluster(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const task: WorkerTask = { task: 'create', cluster: folder }
    const worker = startWorkerThread('embedded-worker', import.meta.url, task)
    worker.on('message', (report: Report) => {
      if ('lost' in report) reject(new DatabaseUnavailable(`The database could not be created. ${report.lost}`))
    })
    worker.on('error', reject)
    worker.on('exit', () => resolve())
  })
}

function runOrder({ text, values }: Sql): { do: 'run'; text: string; values: ReturnType<typeof toParameters> } {
  return { do: 'run', text, values: toParameters(values) }
}

async function readRows<Row extends object>(answer: Promise<Result>): Promise<Row[]> {
  const { columns, rows } = await answer
  const readers = columns.map(({ name, type }) => ({ name, read: COLUMN_TYPES.getTypeParser(type, 'text') }))
  return rows.map((fields) => {
    const entries = readers.map(({ name, read }, index) => {
      const text = fields[index]
      return [name, text === null || text === undefined ? null : read(text)]
    })
    return Object.fromEntries(entries)
  })
}
