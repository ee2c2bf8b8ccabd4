import pg from 'pg'
import { type Db, isAftermath, type Sql } from '../db.ts'
import { endIfSilent } from './end-if-silent.ts'
import { freeNames } from './free-names.ts'
import { runStatement, translate } from './postgres-statement.ts'
import { type Names, NO_NAMES, StatementNames } from './statement-names.ts'

interface SharedConnection {
  client: Promise<pg.Client> | undefined
  openedAt: number
  inFlight: number
}

interface SharedOptions {
  connections: pg.ClientConfig
  count: number
  /** Both as in `endIfSilent`. */
  silentMs?: number
  onSilent?: () => void
  /** Runs on each new connection, before its first statement. */
  prepare: string | undefined
  /** Begins a transaction around each statement. Without it a statement is a transaction by itself. */
  begin: string | undefined
}

const RENEWED_AFTER_MS = 5_000

/** While no server takes writes, a connection is not opened again for each write. */
export const mayBeRenewed = (openedAt: number): boolean => performance.now() - openedAt > RENEWED_AFTER_MS

/** So many statements of a caller are few: they may be on any connection. */
const FEW = 8

/**
 * A few connections shared by many statements. The statements are pipelined, each a transaction of its own. A caller
 * with many of them in flight leaves the first connection to others, who would wait behind slow ones elsewhere.
 */
export class SharedConnections implements Db {
  readonly #options: SharedOptions
  readonly #names = new StatementNames()
  readonly #connections: SharedConnection[]
  readonly #allButFirst: SharedConnection[]
  /** The statements in flight of each caller that is named. */
  readonly #ofCallers = new Map<string, number>()

  constructor(options: SharedOptions) {
    this.#options = options
    this.#connections = Array.from({ length: options.count }, () => ({ client: undefined, openedAt: 0, inFlight: 0 }))
    this.#allButFirst = this.#connections.slice(1)
  }

  /** The statements that have no answer yet. */
  get inFlight(): number {
    return this.#connections.reduce((sum, connection) => sum + connection.inFlight, 0)
  }

  async query<Row extends object>(statement: Sql, caller?: string): Promise<Row[]> {
    const connection = this.#freest(caller)
    connection.inFlight++
    this.#count(caller, 1)
    try {
      connection.client ??= this.#open(connection)
      return await this.#run(await connection.client, statement)
    } finally {
      connection.inFlight--
      this.#count(caller, -1)
    }
  }

  /** The connection with the fewest statements in flight: a slow one delays no other while a connection is free. */
  #freest(caller: string | undefined): SharedConnection {
    const hasMany = caller !== undefined && (this.#ofCallers.get(caller) ?? 0) >= FEW
    const admitted = hasMany ? this.#allButFirst : this.#connections
    return admitted.reduce((freest, other) => (other.inFlight < freest.inFlight ? other : freest))
  }

  #count(caller: string | undefined, change: number): void {
    if (caller === undefined) return
    const inFlight = (this.#ofCallers.get(caller) ?? 0) + change
    if (inFlight > 0) this.#ofCallers.set(caller, inFlight)
    else this.#ofCallers.delete(caller)
  }

  async #run<Row extends object>(client: pg.Client, statement: Sql): Promise<Row[]> {
    const { begin } = this.#options
    const attempt = async (names: Names) => {
      const run = async () => runStatement<Row>(client, names, statement)
      return begin === undefined ? run() : within(client, begin, run)
    }
    return attempt(this.#names).catch((error: unknown) => {
      // The statement before, which was to prepare it, was refused as it was parsed. So this one did not run.
      if (!isAftermath(error)) throw error
      return attempt(NO_NAMES)
    })
  }

  /** Leaves connections of a server that takes no writes, or may be gone; what is in flight on them ends first. */
  renew(): void {
    for (const connection of this.#connections) {
      const { client, openedAt } = connection
      if (client === undefined || !mayBeRenewed(openedAt)) continue
      connection.client = undefined
      // Answered after all that was sent before.
      client.then((left) => left.query('').finally(() => left.end())).catch(() => {})
    }
  }

  #open(connection: SharedConnection): Promise<pg.Client> {
    const client = new pg.Client(this.#options.connections)
    connection.openedAt = performance.now()
    const { prepare } = this.#options
    const opening = client.connect().then(
      () => {
        endIfSilent(client, this.#options.silentMs ?? 0, this.#options.onSilent ?? (() => {}))
        freeNames(client)
        // Not awaited: the first statement follows in the same packet. If it fails, the connection is lost.
        if (prepare !== undefined) client.query(prepare).catch(() => client.end())
        return client
      },
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

/** Runs the statement in a transaction of its own that begins so. */
async function within<Row>(client: pg.Client, begin: string, run: () => Promise<Row[]>): Promise<Row[]> {
  // Sent together, so that the statements of others on this connection cannot come between.
  const begun = client.query(begin)
  begun.catch(() => {})
  // It rejects: if the parameters are refused, the commit is sent all the same.
  const rows = run()
  rows.catch(() => {})
  const ended = client.query('commit')
  ended.catch(() => {})
  try {
    await begun
    const result = await rows
    await ended
    return result
  } catch (error) {
    throw translate(error)
  }
}
