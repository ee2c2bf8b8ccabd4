import { openPostgres } from '../../src/platform/db/postgres.ts'
import { type ServerProcess, startProcess } from '../process.ts'
import { SECRET_KEYS } from '../running-service.ts'

/** Starts a built server process on a database; it may send to this machine. */
export const startServer = (
  role: 'api' | 'worker' | 'all',
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> =>
  startProcess({
    ROLE: role,
    DATABASE_URL: databaseUrl,
    SECRET_KEYS,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    RATE_LIMIT_WORKSPACE_CREATE: '0',
    ...env,
  })

/** A server process that is restarted whenever it has been killed. */
export class Restarting {
  readonly #start: () => Promise<ServerProcess>
  #current: Promise<ServerProcess>
  kills = 0

  constructor(start: () => Promise<ServerProcess>) {
    this.#start = start
    this.#current = start()
  }

  /** The current process, once one runs. */
  running(): Promise<ServerProcess> {
    return this.#current
  }

  /** Kills it with SIGKILL; `whenDead` runs before the next one starts. Resolves when that one runs. */
  async kill(whenDead: () => Promise<void> = async () => {}): Promise<void> {
    const victim = await this.#current
    this.kills++
    this.#current = victim
      .stop('SIGKILL')
      .then(whenDead)
      .then(() => this.#start())
    await this.#current
  }

  async stop(): Promise<void> {
    await (await this.#current).stop('SIGKILL')
  }
}

/** The database of server processes, to inspect what they have written. */
export const openForReading = (url: string) =>
  openPostgres({ url, poolSize: 1, pipeline: false, statementTimeoutMs: 60_000, onError: () => {} })
