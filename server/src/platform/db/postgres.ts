import pg from 'pg'
import { COLUMN_TYPES } from './column-types.ts'
import {
  type Database,
  DatabaseError,
  DatabaseReadOnly,
  DatabaseUnavailable,
  type Db,
  isRetryable,
  isUnprepared,
  retrying,
  type Transaction,
  together,
} from './db.ts'
import { coalescingSocket } from './postgres/coalescing-socket.ts'
import { READERS, SNAPSHOTS, WORKERS } from './postgres/connection-counts.ts'
import { endIfSilent } from './postgres/end-if-silent.ts'
import { freeNames } from './postgres/free-names.ts'
import { Listeners } from './postgres/listeners.ts'
import { findPooler, type Pooler } from './postgres/pooler.ts'
import { runStatement, translate } from './postgres/postgres-statement.ts'
import { mayBeRenewed, SharedConnections } from './postgres/shared-connections.ts'
import { StatementNames } from './postgres/statement-names.ts'
import { beginWith, type SessionSettings, sessionSettings, setSession, WORK_SETTINGS } from './session-settings.ts'
import { TransactionStatements } from './transaction-statements.ts'

export interface PostgresOptions {
  url: string
  /** Leads to PostgreSQL itself where `url` leads to a pooler; for what needs a session: LISTEN and migrations. */
  directUrl?: string | undefined
  /** Connections for transactions. There are `FURTHER_CONNECTIONS` besides. */
  poolSize: number
  /** Sends statements without waiting for the answer to the one before (pg ≥ 8.23.1). */
  pipeline: boolean
  statementTimeoutMs: number
  onError: (error: Error) => void
  /** Receives what the operator should change, though the service works without. */
  onWarning?: (message: string) => void
}

// So much later than its own limit a statement has been ended by the server, if that is there.
const PATIENCE_MS = 5_000
/** What a session gets too that no pooler shares: its administrator may end those of others that are idle. */
const OWN_SESSION = { application_name: 'precedent', idle_session_timeout: '0' }

/**
 * Connects to a PostgreSQL server, or to a pooler in front of it. Lost connections are replaced; until then calls fail
 * with DatabaseUnavailable. No connection has startup parameters, because poolers refuse them.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const connections = connectionOptions(options, options.url)
  const direct = options.directUrl === undefined ? undefined : connectionOptions(options, options.directUrl)
  const settings = sessionSettings(options.statementTimeoutMs)
  const warn = options.onWarning ?? (() => {})
  const pooler = await findPooler({ connections, direct, settings, warn }).catch((error: unknown) => {
    throw translate(error)
  })
  const silentMs = options.statementTimeoutMs && options.statementTimeoutMs + PATIENCE_MS
  const silence = { silentMs, onSilent: renew }
  const shared = (count: number, special: SessionSettings = {}) =>
    new SharedConnections({ connections, count, ...silence, ...howToSet(pooler, settings, special) })
  const readers = shared(READERS)
  const workers = shared(WORKERS, WORK_SETTINGS)
  const checks = shared(1)
  function renew() {
    for (const each of [readers, workers, checks, listeners]) each.renew()
  }
  const ownSession = setSession({ ...OWN_SESSION, ...settings })
  const { begin = 'begin', prepare } = howToSet(pooler, settings, {})
  const writers = openPool({ ...connections, max: options.poolSize }, prepare, options.onError, silence)
  // Scripts and snapshots lift the time limit, so silence does not end them.
  const scripts = openPool({ ...(direct ?? connections), max: 1 }, direct ? ownSession : prepare, options.onError)
  const snapshots = openPool({ ...connections, max: SNAPSHOTS }, prepare, options.onError)
  const listeners = new Listeners({ connections: direct ?? connections, prepare: ownSession, onError: options.onError })
  const names = new StatementNames()
  const renewing = <T>(work: Promise<T>) => renewingWhereReadOnly(work, renew)
  return {
    kind: 'postgres',
    checks,
    // A pooler may have fewer sessions than transactions ask for.
    checksAlways: pooler === undefined,
    work: { query: (statement) => renewing(retrying(() => workers.query(statement), mayPass)) },
    query: (statement) => readers.query(statement),
    readsOf: (caller) => ({ query: (statement) => readers.query(statement, caller) }),
    transaction: (work) => renewing(retrying(() => transact({ pool: writers, names, begin }, work), mayPass)),
    script: (text) => runScript(scripts, text),
    session: (work) => withSession(direct ?? connections, work),
    snapshot: (work) => transact({ pool: snapshots, names, begin: beginSnapshot(settings) }, work),
    listen: (channel, wake) => listeners.add(channel, wake),
    state: () => ({
      transactions: {
        most: options.poolSize,
        open: writers.totalCount,
        inUse: writers.totalCount - writers.idleCount,
        waiting: writers.waitingCount,
      },
      shared: { reads: readers.inFlight, workers: workers.inFlight, checks: checks.inFlight },
      isListening: listeners.isConnected,
    }),
    close: async () => {
      await Promise.all([listeners, checks, readers, workers].map((each) => each.close()))
      await Promise.all([writers, scripts, snapshots].map((pool) => pool.end()))
    },
  }
}

/**
 * Another server may take writes at the address: a new connection finds it. Connections that only read would go on with
 * the standby.
 */
async function renewingWhereReadOnly<T>(work: Promise<T>, renew: () => void): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof DatabaseReadOnly) renew()
    throw error
  }
}

const connectionOptions = ({ pipeline }: PostgresOptions, url: string): pg.ClientConfig => ({
  connectionString: url,
  pipeline,
  connectionTimeoutMillis: 5_000,
  // So a connection that only listens notices that its peer is gone. By default the first probe comes after two hours.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: COLUMN_TYPES,
  stream: coalescingSocket,
})

/**
 * Directly, settings are those of the session: setting them in each transaction takes as long as a small statement. A
 * pooler shares sessions with others, so there each transaction sets what its session lacks.
 */
function howToSet(pooler: Pooler | undefined, general: SessionSettings, special: SessionSettings) {
  if (!pooler) return { prepare: setSession({ ...OWN_SESSION, ...general, ...special }), begin: undefined }
  const settings = { ...pooler.missing, ...special }
  return { prepare: undefined, begin: Object.keys(settings).length > 0 ? beginWith(settings) : undefined }
}

const openedAt = new WeakMap<pg.PoolClient, number>()

/**
 * The last two as in `endIfSilent`. Idle connections are closed after ten seconds, which is the default of the pool.
 */
function openPool(
  config: pg.PoolConfig,
  prepare: string | undefined,
  onError: (error: Error) => void,
  { silentMs, onSilent } = { silentMs: 0, onSilent: () => {} },
): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now())
    // On each connection, not on the pool: the pool listens only to idle ones, and a loss inside a transaction would
    // end the process.
    client.on('error', onError)
    endIfSilent(client, silentMs, onSilent)
    freeNames(client)
    // Not awaited: the first statement follows in the same packet.
    if (prepare !== undefined) client.query(prepare).catch(onError)
  })
  pool.on('error', () => {})
  return pool
}

async function runScript(pool: pg.Pool, text: string): Promise<void> {
  const client = await connect(pool)
  try {
    await client.query(text)
  } catch (error) {
    throw translate(error)
  } finally {
    client.release()
  }
}

/** Its statements take as long as the reader of what they return takes; a reader that stands still ends it. */
const beginSnapshot = (settings: SessionSettings): string =>
  beginWith(
    { ...settings, statement_timeout: '0', idle_in_transaction_session_timeout: '10min' },
    'begin isolation level repeatable read',
  )

async function withSession<T>(config: pg.ClientConfig, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  // A loss of the connection fails the statement too.
  client.on('error', () => {})
  const names = new StatementNames()
  try {
    await client.connect()
    await client.query(setSession({ ...OWN_SESSION, ...sessionSettings(0) }))
    return await work({ query: async (statement) => runStatement(client, names, statement) })
  } catch (error) {
    throw translate(error)
  } finally {
    await client.end().catch(() => {})
  }
}

interface Transactions {
  pool: pg.Pool
  names: StatementNames
  /** The statement that begins one. */
  begin: string
}

async function transact<T>({ pool, names, begin }: Transactions, work: (db: Transaction) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let broken: Error | true | undefined
  // Not awaited: with pipelining the first statement follows in the same packet.
  const begun = client.query(begin)
  begun.catch(() => {})
  const statements = new TransactionStatements((statement) => runStatement(client, names, statement))
  try {
    const result = await work(statements)
    // Before the wait for the begin, during which others of the work could still send statements.
    const ended = statements.end()
    ended.catch(() => {})
    await begun
    // Behind a statement that fails the commit is harmless: it returns ROLLBACK and no error.
    const [, { command }] = await together([ended, client.query('commit')])
    // The same if `work` ignored the error of a statement.
    if (command !== 'COMMIT')
      throw new DatabaseError('The transaction had failed before its commit.', '25P02', undefined)
    return result
  } catch (error) {
    const first = statements.endBy(error)
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    // If the transaction never began, the caller gets that error, whatever its work made of it.
    const failure = translate(
      await begun.then(
        () => first,
        (failure: unknown) => failure,
      ),
    )
    if (failure instanceof DatabaseReadOnly && mayBeRenewed(openedAt.get(client) ?? 0)) broken ??= true
    throw failure
  } finally {
    client.release(broken)
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseUnavailable(`The database could not be reached: ${reason}`, { cause: error })
  }
}

/** A session behind a pooler may have lost what was prepared: the next attempt prepares it again. */
const mayPass = (error: unknown): boolean => isRetryable(error) || isUnprepared(error)
