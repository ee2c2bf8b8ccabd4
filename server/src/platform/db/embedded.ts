import { resolve } from 'node:path'
import { BY_MESSAGE, seldom } from '../seldom.ts'
import { KeyTurns } from '../turns/key-turns.ts'
import { SessionTurns } from '../turns/session-turns.ts'
import { COLUMN_TYPES } from './column-types.ts'
import {
  type Database,
  DatabaseError,
  type DatabaseState,
  DatabaseUnavailable,
  type Db,
  join,
  retrying,
  type SnapshotOptions,
  type Sql,
  sql,
  type Transaction,
  together,
} from './db.ts'
import { type DataDirectory, noDatabase, openDataDirectory } from './embedded/data-directory.ts'
import type { Patience } from './embedded/directory-lock.ts'
import { createCluster, Engine, EngineKeeper } from './embedded/engine.ts'
import type { Result } from './embedded/protocol.ts'
import { toParameters } from './parameters.ts'
import { WORK_SETTINGS } from './session-settings.ts'
import { TransactionStatements } from './transaction-statements.ts'

export interface EmbeddedOptions {
  /** A folder, created if missing, or 'memory' for a database that ends with `close()`. */
  dataDir: string
  /** Finds the file of a prepared cluster, which a new database begins with; default: an empty one. */
  prepared?: () => Promise<string | undefined>
  /** Whether to refuse a folder that holds no database, and 'memory', instead of creating one. */
  mustExist?: boolean
  /** Whether to resolve before it has started. Its first statement then waits, and rejects if it does not start. */
  isEarly?: boolean
  /** For another process that holds the folder, because it may be ending; default: none. */
  patience?: Patience
  /** Receives warnings that fail no call: maintenance that did not succeed, the loss of the database. */
  log?: (warning: string) => void
  /** How long a transaction may pause between statements before it is rolled back, since all others wait for it. */
  transactionIdleMs?: number
}

const TRANSACTION_IDLE_MS = 30_000
const SNAPSHOT_IDLE_MS = 600_000

/** The statements of a caller's reads that wait for the session at a time: those of others wait behind them. */
const READS = { perKey: 16, patienceMs: 10_000 }
/** Whoever waits for a statement stays: it has no connection of its own that might close. */
const STAYS = { destroyed: false }
/** Whose turn it is in what belongs to no caller: workers, and the service itself. */
const SERVICE = ''

const FOR_WORK = sql`
  select ${join(Object.entries(WORK_SETTINGS).map(([name, value]) => sql`set_config(${name}, ${value}, true)`))}`

/**
 * Opens the PostgreSQL inside this process (PGlite, in a worker thread). An acknowledged write survives a kill and a
 * power loss. Refuses a directory that another process holds, or that another PostgreSQL major wrote.
 */
export async function openEmbedded({
  dataDir,
  prepared,
  mustExist = false,
  isEarly = false,
  patience,
  log = () => {},
  transactionIdleMs = TRANSACTION_IDLE_MS,
}: EmbeddedOptions): Promise<Database> {
  if (mustExist && dataDir === 'memory') throw noDatabase(dataDir)
  const refuse = (error: unknown): never => {
    // What failed says why, but not where: mostly the disk is full, or files of others lie there.
    if (error instanceof DatabaseUnavailable)
      throw new Error(`DATA_DIR: ${resolve(dataDir)}: ${error.message}`, { cause: error })
    throw error
  }
  const create = async (folder: string) => createCluster(folder, await prepared?.()).catch(refuse)
  const directory =
    dataDir === 'memory' ? undefined : await openDataDirectory(dataDir, mustExist ? undefined : create, patience)
  const content = directory ? undefined : await prepared?.()
  // While the disk is full, each new engine is lost again.
  const warn = seldom((warning, times) => log(times === 1 ? `${warning}` : `${warning} (${times} times)`), BY_MESSAGE)
  const start = () => new Engine(directory?.cluster ?? dataDir, warn, content)
  const engines = new EngineKeeper(start, { restarts: directory !== undefined })
  const started = engines.ready.catch(async (error: unknown) => {
    await directory?.release()
    refuse(error)
  })
  if (isEarly) started.catch(() => {})
  else await started
  return new EmbeddedDatabase(engines, { idleMs: transactionIdleMs, directory })
}

/**
 * One session for all callers: statements and transactions run one after another. The caller who has taken the least
 * time is next, and the calls of one run in their order.
 */
class EmbeddedDatabase implements Database {
  readonly kind = 'embedded'
  readonly checks: Db = { query: (statement) => this.#query(statement, null) }
  readonly checksAlways = false
  readonly work: Db = { query: (statement) => this.#asWorker(statement) }
  readonly #reads = new KeyTurns(READS)
  readonly #engines: EngineKeeper
  readonly #idleMs: number
  /** Undefined for a database in memory. */
  readonly #directory: DataDirectory | undefined
  readonly #turns = new SessionTurns()
  #closing: Promise<void> | undefined
  #snapshots: Promise<unknown> = Promise.resolve()

  constructor(engines: EngineKeeper, { idleMs, directory }: { idleMs: number; directory: DataDirectory | undefined }) {
    this.#engines = engines
    this.#idleMs = idleMs
    this.#directory = directory
  }

  query<Row extends object>(statement: Sql): Promise<Row[]> {
    return this.#query(statement, SERVICE)
  }

  async #query<Row extends object>(statement: Sql, caller: string | null): Promise<Row[]> {
    const order = runOrder(statement)
    const passOn = await this.#takeSession(caller)
    return passOn((ran) => readRows<Row>(this.#engines.current.ask(order, ran)))
  }

  readsOf(caller: string): Db {
    return { query: (statement) => this.#reads.inTurn(caller, STAYS, () => this.#query(statement, caller)) }
  }

  #asWorker<Row extends object>(statement: Sql): Promise<Row[]> {
    return this.transaction(async (db) => (await Promise.all([db.query(FOR_WORK), db.query<Row>(statement)]))[1])
  }

  transaction<T>(work: (db: Transaction) => Promise<T>, caller = SERVICE): Promise<T> {
    return retrying(() => this.#attempt(work, caller))
  }

  async script(text: string): Promise<void> {
    const passOn = await this.#takeSession()
    await passOn(() => this.#engines.current.ask({ do: 'script', text }))
  }

  /** One at a time. All others wait while the files are copied, and go on while `work` reads the copy. */
  snapshot<T>(work: (db: Db) => Promise<T>, { isLast = false }: SnapshotOptions = {}): Promise<T> {
    const taken = this.#snapshots.then(() => this.#takeSnapshot(work, isLast))
    this.#snapshots = taken.catch(() => {})
    return taken
  }

  async #takeSnapshot<T>(work: (db: Db) => Promise<T>, isLast: boolean): Promise<T> {
    if (this.#directory === undefined) return this.transaction(work)
    const { copy, remove } = await this.#directory.makeSnapshot()
    try {
      const passOn = await this.#takeSession()
      await passOn(() => this.#engines.current.ask({ do: 'copy', to: copy }))
      if (isLast) await this.close()
      const engines = new EngineKeeper(() => new Engine(copy, () => {}), { restarts: false })
      await engines.ready
      const database = new EmbeddedDatabase(engines, { idleMs: SNAPSHOT_IDLE_MS, directory: undefined })
      return await database.transaction(work).finally(() => database.close())
    } finally {
      await remove()
    }
  }

  /** There is one connection; statements of others may run between those of `work`. */
  session<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return work(this)
  }

  async listen(channel: string, wake: () => void): Promise<void> {
    const passOn = await this.#takeSession()
    await passOn(() => this.#engines.listen(channel, wake))
  }

  state(): DatabaseState {
    const { isBusy, waiting } = this.#turns
    return { transactions: { most: 1, open: 1, inUse: Number(isBusy), waiting }, shared: {}, isListening: true }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    let passOn = await this.#turns.take(SERVICE)
    // The order is not that of the calls, so some who have asked before may still wait.
    while (this.#turns.waiting > 0) {
      const again = this.#turns.take(SERVICE)
      await passOn(() => Promise.resolve())
      passOn = await again
    }
    try {
      await passOn(() => this.#engines.stop())
    } finally {
      await this.#directory?.release()
    }
  }

  async #attempt<T>(work: (db: Transaction) => Promise<T>, caller: string): Promise<T> {
    const passOn = await this.#takeSession(caller)
    const transaction = new EmbeddedTransaction(this.#engines.current, this.#idleMs)
    const statements = new TransactionStatements((statement) => transaction.run(statement))
    let result: T
    try {
      result = await Promise.race([work(statements), transaction.expiry])
    } catch (error) {
      const first = statements.endBy(error)
      await passOn((ran) => transaction.end('rollback', ran)).catch(() => {})
      throw await first
    }
    await together([statements.end(), passOn((ran) => transaction.end('commit', ran))])
    return result
  }

  #takeSession(caller: string | null = SERVICE): ReturnType<SessionTurns['take']> {
    if (this.#closing === undefined) return this.#turns.take(caller)
    return Promise.reject(new DatabaseUnavailable('The embedded database is closed.'))
  }
}

/** The begin, the statements and the end of one transaction. */
class EmbeddedTransaction {
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

  run<Row extends object>(statement: Sql): Promise<Row[]> {
    const order = runOrder(statement)
    clearTimeout(this.#timer)
    this.#unanswered += 1
    return readRows<Row>(this.#engine.ask(order)).finally(() => {
      this.#unanswered -= 1
      this.#watch()
    })
  }

  async end(how: 'commit' | 'rollback', ran: () => void): Promise<void> {
    this.#ended = true
    clearTimeout(this.#timer)
    await this.#engine.ask({ do: how }, ran)
  }

  #watch(): void {
    if (this.#unanswered > 0 || this.#ended) return
    this.#timer = setTimeout(() => {
      const message = `The transaction was rolled back after ${this.#idleMs} ms without a statement.`
      this.#expire(new DatabaseError(message, '25P03', undefined))
    }, this.#idleMs)
  }
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
