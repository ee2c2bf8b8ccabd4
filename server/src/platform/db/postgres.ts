import pg from 'pg'
import { coalescingSocket } from './coalescing-socket.ts'
import { COLUMN_TYPES } from './column-types.ts'
import { type Database, DatabaseError, DatabaseUnavailable, type Db, isRetryable, type Sql, sql } from './db.ts'
import { toParameters } from './parameters.ts'
import { WORK_SETTINGS } from './work-settings.ts'

export interface PostgresOptions {
  url: string
  /**
   * Connections for transactions. Four more are shared by reads, four by the workers' statements, and checks have one.
   */
  poolSize: number
  /** Sends statements without waiting for the answer to the one before (pg ≥ 8.23.1). */
  pipeline: boolean
  statementTimeoutMs: number
  onError: (error: Error) => void
}

const RETRIES = 5
const READERS = 4
const WORKERS = 4

// JIT compilation of a plan takes longer than any of these statements.
const NO_JIT = '-c jit=off'
// For the connection, not per transaction: setting it takes as long as a small statement.
const FOR_WORK = Object.entries(WORK_SETTINGS).map(([name, value]) => `-c ${name}=${value}`)

/** Connects to a PostgreSQL server. Lost connections are replaced; until then calls fail with DatabaseUnavailable. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const connections = {
    connectionString: options.url,
    pipeline: options.pipeline,
    connectionTimeoutMillis: 5_000,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'precedent',
    options: NO_JIT,
    keepAlive: true,
    types: COLUMN_TYPES,
    stream: coalescingSocket,
  }
  const writers = new pg.Pool({ ...connections, max: options.poolSize })
  const readers = new SharedConnections(connections, READERS)
  const workers = new SharedConnections({ ...connections, options: [NO_JIT, ...FOR_WORK].join(' ') }, WORKERS)
  const checks = new SharedConnections(connections, 1)
  // On each connection, not on the pool: the pool listens only to idle ones, and a loss inside a transaction would end
  // the process.
  writers.on('connect', (client) => client.on('error', options.onError))
  writers.on('error', () => {})
  const listeners = new Listeners(connections, options.onError)

  const names = new StatementNames()

  const database: Database = {
    kind: 'postgres',
    checks,
    work: { query: (statement) => retrying(() => workers.query(statement)) },
    query: (statement) => readers.query(statement),
    transaction: (work) => retrying(() => transact(writers, names, work)),
    script: async (text) => {
      const client = await connect(writers)
      try {
        await client.query(text)
      } catch (error) {
        throw translate(error)
      } finally {
        client.release()
      }
    },
    listen: (channel, wake) => listeners.add(channel, wake),
    close: async () => {
      await Promise.all([listeners.close(), checks.close(), readers.close(), workers.close(), writers.end()])
    },
  }
  await checks.query(sql`select 1`)
  return database
}

interface SharedConnection {
  client: Promise<pg.Client> | undefined
  inFlight: number
}

/** A few connections shared by many statements. The statements are pipelined, each a transaction of its own. */
class SharedConnections implements Db {
  readonly #options: pg.ClientConfig
  readonly #names = new StatementNames()
  readonly #connections: SharedConnection[]

  constructor(options: pg.ClientConfig, count: number) {
    this.#options = options
    this.#connections = Array.from({ length: count }, () => ({ client: undefined, inFlight: 0 }))
  }

  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    // The connection with the fewest statements in flight, so that a slow one delays no other while a connection is
    // free.
    const connection = this.#connections.reduce((freest, other) => (other.inFlight < freest.inFlight ? other : freest))
    connection.inFlight++
    try {
      connection.client ??= this.#open(connection)
      return await run(await connection.client, this.#names, statement)
    } finally {
      connection.inFlight--
    }
  }

  #open(connection: SharedConnection): Promise<pg.Client> {
    const client = new pg.Client(this.#options)
    const opening = client.connect().then(
      () => client,
      (error: unknown) => {
        forget()
        throw translate(error)
      },
    )
    const forget = () => {
      if (connection.client === opening) connection.client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    return opening
  }

  async close(): Promise<void> {
    const open = await Promise.allSettled(this.#connections.map(({ client }) => client))
    await Promise.all(
      open.map((connection) => (connection.status === 'fulfilled' ? connection.value?.end() : undefined)),
    )
  }
}

async function transact<T>(pool: pg.Pool, names: StatementNames, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let broken: Error | undefined
  // Not awaited: with pipelining the first statement follows in the same packet.
  const begun = client.query('begin')
  begun.catch(() => {})
  try {
    const result = await work({ query: (statement) => run(client, names, statement) })
    await begun
    const { command } = await client.query('commit')
    // If a statement failed and `work` ignored the error, commit returns ROLLBACK and no error.
    if (command !== 'COMMIT')
      throw new DatabaseError('The transaction had failed before its commit.', '25P02', undefined)
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    // If the transaction never began, the caller gets that error, whatever its work made of it.
    throw translate(
      await begun.then(
        () => error,
        (failure: unknown) => failure,
      ),
    )
  } finally {
    client.release(broken)
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new DatabaseUnavailable('The database could not be reached.', { cause: error })
  }
}

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRetryable(error) || tries === RETRIES) throw error
    }
  }
}

const MAX_NAMES = 500

/**
 * Statements are prepared once per connection, under a name that stands for their text, and stay prepared as long as
 * the connection. Callers influence some of the texts, so past a limit statements are not prepared. The workers'
 * statements outside of transactions have connections of their own, so callers cannot use up their names.
 */
class StatementNames {
  readonly #names = new Map<string, string>()

  of(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name !== undefined || this.#names.size >= MAX_NAMES) return name
    const fresh = `s${this.#names.size}`
    this.#names.set(text, fresh)
    return fresh
  }
}

async function run<Row extends object>(client: pg.ClientBase, names: StatementNames, statement: Sql): Promise<Row[]> {
  const text = statement.text
  const values = toParameters(statement.values)
  try {
    const { rows } = await client.query<Row>({ name: names.of(text), text, values })
    return rows
  } catch (error) {
    throw translate(error)
  }
}

function translate(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const { message, code = '', constraint } = error
    // Class 08 and 57P0x: the server is going away or refuses connections; 53300: too many connections.
    if (/^(08|57P0|53300)/.test(code)) return new DatabaseUnavailable(message, { cause: error })
    return new DatabaseError(message, code, constraint, { cause: error })
  }
  if (error instanceof Error && isConnectionLoss(error)) return new DatabaseUnavailable(error.message, { cause: error })
  return error
}

function isConnectionLoss(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST)/.test(code) ||
    /Connection terminated|not queryable|timeout expired|Client was closed/.test(error.message)
  )
}

const LISTEN_RETRY_MS = 1_000

/** One connection that listens on every channel, replaced when it breaks. */
class Listeners {
  readonly #options: pg.ClientConfig
  readonly #onError: (error: Error) => void
  readonly #wakes = new Map<string, Set<() => void>>()
  #client: pg.Client | undefined
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: pg.ClientConfig, onError: (error: Error) => void) {
    this.#options = { ...options, pipeline: false }
    this.#onError = onError
  }

  async add(channel: string, wake: () => void): Promise<void> {
    const known = this.#wakes.get(channel)
    if (known) {
      known.add(wake)
      return
    }
    this.#wakes.set(channel, new Set([wake]))
    if (this.#client) await this.#client.query(`listen ${pg.escapeIdentifier(channel)}`)
    else await this.#connect()
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#options)
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ channel }) => this.#wake(channel))
    try {
      await client.connect()
      for (const channel of this.#wakes.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      this.#client = client
      for (const channel of this.#wakes.keys()) this.#wake(channel)
    } catch (error) {
      this.#lost(client, error instanceof Error ? error : new Error(String(error)))
    }
  }

  #wake(channel: string): void {
    for (const wake of this.#wakes.get(channel) ?? []) wake()
  }

  #lost(client: pg.Client, error?: Error): void {
    if (error) this.#onError(error)
    if (this.#client === client) this.#client = undefined
    if (this.#closed || this.#retry) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      void this.#connect()
    }, LISTEN_RETRY_MS)
    this.#retry.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    await this.#client?.end()
  }
}
