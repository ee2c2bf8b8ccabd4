import { resolve } from 'node:path'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/db.ts'
import { type EmbeddedOptions, openEmbedded } from './platform/db/embedded.ts'
import type { Log } from './platform/log.ts'
import { loadOrCreateSecretKeys, parseSecretKeys, type SecretKey } from './platform/secret.ts'
import { seldom } from './platform/seldom.ts'

/** Where warnings and lost connections are written. */
type Warnings = Pick<Log, 'warn' | 'error'>

/** How an embedded database begins. */
interface Beginning extends Pick<EmbeddedOptions, 'prepared' | 'mustExist' | 'isEarly'> {
  /** How long to wait for a process before that still holds the directory. */
  patienceMs?: number
}

/**
 * Opens the configured database. The error names the setting that is wrong, and no password. Logs the warnings of the
 * configuration first: a misspelt variable may mean another database. A new embedded one may begin as the `prepared`
 * file, and one may be returned before it has started. With `mustExist` none is created.
 */
export async function openDatabase(
  config: Config,
  log: Warnings,
  { patienceMs = 0, ...how }: Beginning = {},
): Promise<Database> {
  for (const warning of config.warnings) log.warn(warning)
  if (config.databaseUrl !== undefined) return openServer(config, config.databaseUrl, log)
  const { dataDir } = config
  const patience = {
    ms: patienceMs,
    onWait: () =>
      log.warn(`DATA_DIR: another process has ${resolve(dataDir)} open. Waiting ${patienceMs / 1000} s for its end.`),
  }
  return openEmbedded({ dataDir, ...how, patience, log: (warning) => log.error(warning) }).catch((error) =>
    refuseDirectory(dataDir, error),
  )
}

async function openServer(config: Config, url: string, log: Warnings): Promise<Database> {
  // Its driver is not loaded where the database is embedded.
  const { openPostgres } = await import('./platform/db/postgres.ts')
  return openPostgres({
    url,
    directUrl: config.databaseDirectUrl,
    poolSize: config.databasePoolSize,
    pipeline: config.databasePipeline === 'on',
    statementTimeoutMs: config.statementTimeoutMs,
    onError: seldom((err, failures) => log.warn({ err, failures }, 'database connection lost')),
    onWarning: (message) => log.warn(message),
  }).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('DATABASE_DIRECT_URL')) throw error
    const { host, pathname } = new URL(url)
    throw new Error(`DATABASE_URL: cannot use the database ${host}${pathname}: ${reasonOf(error)}`, { cause: error })
  })
}

// Of several addresses of one name, each has an error of its own, and the error of all has no message.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error.message || (error.cause === undefined ? error.name : reasonOf(error.cause))
}

function refuseDirectory(dataDir: string, error: unknown): never {
  // Errors of the operating system have codes such as EACCES; the others already say what is wrong.
  const isOfSystem = error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code))
  if (!isOfSystem) throw error
  throw new Error(`DATA_DIR: cannot write to the directory ${resolve(dataDir)}: ${error.message}`, { cause: error })
}

/** The master keys: SECRET_KEYS, else those stored beside the embedded database. */
export async function openSecretKeys({ secretKeys, dataDir }: Config): Promise<SecretKey[]> {
  if (secretKeys !== undefined) return parseSecretKeys(secretKeys)
  return loadOrCreateSecretKeys(dataDir).catch((error) => refuseDirectory(dataDir, error))
}
