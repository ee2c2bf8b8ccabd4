import { PGlite, protocol } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { openFilesOfDatabase } from '../../settings/open-files.ts'
import type { Parameter } from '../parameters.ts'
import type { DurableNodeFS } from './filesystem.ts'
import { clusterFiles } from './prepared-cluster.ts'
import {
  isA,
  type Message,
  OF_FAILED_TRANSACTION,
  Refused,
  type Result,
  readAnswer,
  readOutcomes,
  type Statement,
} from './protocol.ts'

const MB = 1024 * 1024
const { serialize } = protocol

/** Postgres has ended (a panic). Writes that were not acknowledged may be lost. */
export class SessionLost extends Error {}

/** The amount of WAL after which a checkpoint is due: there is no checkpointer process. */
const CHECKPOINT_WAL = 32 * MB

const START_PARAMETERS = [
  // `-F` would turn fsync off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...Object.entries({
    wal_sync_method: 'fsync',
    shared_buffers: '32MB',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
    wal_buffers: '1MB',
    enable_seqscan: 'off',
    max_files_per_process: String(openFilesOfDatabase()),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

interface Prepared {
  name: string
  columns: Result['columns']
}

const PREPARED_LIMIT = 500
const PREPARABLE = /^\s*(select|insert|update|delete|with|merge|values)\b/i

/**
 * The one session of an embedded Postgres. Calls must not overlap, but for `flush`. Commits are durable once a later
 * `flush` has returned.
 */
export class EmbeddedSession {
  readonly #pglite: PGlite
  readonly #storage: DurableNodeFS | 'memory'
  readonly #onNotify: (channel: string) => void
  readonly #prepared = new Map<string, Prepared>()
  #names = 0
  /** As Postgres reports it: I outside of a transaction, T inside, E inside one that has failed. */
  #status = 'I'
  /** Whether a statement may have changed the schema since the prepared ones were last forgotten. */
  #schemaChanged = false
  /** The end of the log at the last checkpoint, in bytes. */
  #checkpointedAt = 0
  /** True from the begin of a transaction to its first statement; only that one may set the isolation level. */
  #hasJustBegun = false

  private constructor(pglite: PGlite, storage: DurableNodeFS | 'memory', onNotify: (channel: string) => void) {
    this.#pglite = pglite
    this.#storage = storage
    this.#onNotify = onNotify
  }

  /** Opens the cluster in a folder of the given file system, or a new one in memory, which may be a prepared one. */
  static async open(
    storage: DurableNodeFS | 'memory',
    onNotify: (channel: string) => void,
    prepared?: string,
  ): Promise<EmbeddedSession> {
    const complaints: string[] = []
    const options = {
      extensions: { vector },
      startParams: START_PARAMETERS,
      onStderr: (line: string) => {
        if (/\b(FATAL|PANIC):/.test(line)) complaints.push(line.trim())
        return false
      },
    }
    try {
      const place = storage === 'memory' ? { loadDataDir: await clusterFiles(prepared) } : { fs: storage }
      const session = new EmbeddedSession(await PGlite.create({ ...options, ...place }), storage, onNotify)
      session.#checkpointedAt = await session.#position()
      return session
    } catch (error) {
      throw new SessionLost(`PostgreSQL did not start. ${complaints.join(' ')}`.trim(), { cause: error })
    }
  }

  get inTransaction(): boolean {
    return this.#status !== 'I'
  }

  get #hasFailed(): boolean {
    return this.#status === 'E'
  }

  /** Whether everything committed so far is on the disk. */
  get isDurable(): boolean {
    return this.#storage === 'memory' || this.#storage.isSynced
  }

  /** Runs one statement with parameters. */
  async run(text: string, values: Parameter[]): Promise<Result> {
    this.#hasJustBegun = false
    await this.#forgetInvalid()
    if (!PREPARABLE.test(text)) {
      this.#schemaChanged = true
      return this.#runUnprepared(text, values)
    }
    // Until the transaction that changes the schema ends, a prepared statement may become invalid.
    if (this.#schemaChanged) return this.#runUnprepared(text, values)
    if (!this.#prepared.has(text)) await this.#prepare(text)
    const [outcome] = await this.runTogether([{ text, values }])
    if (!outcome || outcome instanceof Refused) throw outcome
    return outcome
  }

  /** Whether `runTogether` takes the statement: it has run before, and no schema has changed since. */
  isPrepared(text: string): boolean {
    return !this.#schemaChanged && this.#prepared.has(text)
  }

  /**
   * Runs prepared statements in one exchange; outside of a transaction they are one. After one that Postgres refuses,
   * the others are refused as those of a failed transaction.
   */
  async runTogether(statements: Statement[]): Promise<(Result | Refused)[]> {
    this.#hasJustBegun = false
    const prepared = statements.flatMap(({ text }) => this.#prepared.get(text) ?? [])
    const parts = prepared.flatMap(({ name }, index) => [
      serialize.bind({ statement: name, values: statements[index]?.values ?? [] }),
      serialize.execute(),
    ])
    const outcomes = readOutcomes(
      await this.#send([...parts, serialize.sync()]),
      prepared.map(({ columns }) => columns),
    )
    return statements.map((_, index) => outcomes[index] ?? new Refused(OF_FAILED_TRANSACTION))
  }

  /** Runs statements without parameters; outside of a transaction they are one. */
  async script(text: string): Promise<Result> {
    await this.#forgetInvalid()
    this.#schemaChanged = true
    this.#hasJustBegun = false
    return this.#exchange([serialize.query(text)])
  }

  /** Begins a transaction. */
  async begin(): Promise<void> {
    await this.#forgetInvalid()
    await this.#exchange([serialize.query('begin')])
    this.#hasJustBegun = true
  }

  /** Undoes the transaction, failed or not. */
  async rollback(): Promise<void> {
    await this.#exchange([serialize.query('rollback')])
    this.#hasJustBegun = false
  }

  /** Commits the transaction; throws Refused, and undoes it, if one of its statements has failed. */
  async commit(): Promise<void> {
    const failed = this.#hasFailed
    await this.#exchange([serialize.query('commit')])
    this.#hasJustBegun = false
    // Postgres answers the commit of a failed transaction with a rollback, and no error.
    if (failed) throw new Refused(OF_FAILED_TRANSACTION)
  }

  /**
   * Returns when everything committed before the call is on the disk. Other calls may run meanwhile, but no second
   * `flush`.
   */
  async flush(): Promise<void> {
    if (this.#storage === 'memory') return
    try {
      await this.#storage.sync()
    } catch (error) {
      throw new SessionLost('The disk refuses to sync.', { cause: error })
    }
  }

  /** Makes a checkpoint where the log has grown long since the last one. */
  async boundLog(): Promise<void> {
    if (this.#hasFailed || this.#hasJustBegun) return
    if ((await this.#position()) - this.#checkpointedAt >= CHECKPOINT_WAL) await this.checkpoint()
  }

  /** Moves all changes from the log to their tables, so that the log can be reused and recovery is short. */
  async checkpoint(): Promise<void> {
    if (this.#hasFailed) return
    await this.#exchange([serialize.query('checkpoint')])
    // A query would count as the first statement of a transaction.
    if (!this.#hasJustBegun) this.#checkpointedAt = await this.#position()
  }

  /** Vacuums and analyzes a table, outside of a transaction. `table` is SQL. */
  async vacuum(table: string): Promise<void> {
    await this.#exchange([serialize.query(`vacuum (analyze) ${table}`)])
  }

  async close(): Promise<void> {
    if (this.inTransaction) await this.rollback()
    await this.checkpoint()
    await this.#pglite.close()
  }

  /** The end of the log in bytes. */
  async #position(): Promise<number> {
    const { rows } = await this.run(LOG_POSITION, [])
    return Number(rows[0]?.[0])
  }

  #runUnprepared(text: string, values: Parameter[]): Promise<Result> {
    return this.#exchange([
      serialize.parse({ text }),
      serialize.bind({ values }),
      serialize.describe({ type: 'P' }),
      serialize.execute(),
      serialize.sync(),
    ])
  }

  async #prepare(text: string): Promise<void> {
    const name = `s${this.#names++}`
    const { columns } = await this.#exchange([
      ...this.#makeRoom(),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ])
    this.#prepared.set(text, { name, columns })
  }

  /** Forgets the oldest prepared statement where there are as many as may be; returns the message that closes it. */
  #makeRoom(): Uint8Array[] {
    const oldest = this.#prepared.entries().next().value
    if (!oldest || this.#prepared.size < PREPARED_LIMIT) return []
    this.#prepared.delete(oldest[0])
    return [serialize.close({ type: 'S', name: oldest[1].name })]
  }

  /** Forgets the prepared statements once a transaction that changed the schema has ended. */
  async #forgetInvalid(): Promise<void> {
    if (!this.#schemaChanged || this.inTransaction) return
    this.#schemaChanged = false
    this.#prepared.clear()
    await this.#exchange([serialize.query('deallocate all')])
  }

  /** Sends messages at once, up to their sync, and reads the answer to them as one. */
  async #exchange(parts: Uint8Array[]): Promise<Result> {
    return readAnswer(await this.#send(parts))
  }

  /** Sends messages at once, up to their sync, and returns the answer, once it has noted what concerns the session. */
  async #send(parts: Uint8Array[]): Promise<Message[]> {
    const answer = await this.#pglite.execProtocolStream(Buffer.concat(parts), { syncToFs: false, throwOnError: false })
    let ready = false
    for (const message of answer) {
      if (isA(message, 'notification')) this.#onNotify(message.channel)
      else if (isA(message, 'error') && message.severity !== 'ERROR') throw new SessionLost(message.message)
      else if (isA(message, 'readyForQuery')) {
        this.#status = message.status
        ready = true
      }
    }
    if (!ready) throw new SessionLost('PostgreSQL has stopped answering.')
    return answer
  }
}

const LOG_POSITION = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`
