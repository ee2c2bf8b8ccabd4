import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/db.ts'
import { openEmbedded } from './platform/db/embedded.ts'
import { openPostgres } from './platform/db/postgres.ts'
import type { Log } from './platform/log.ts'
import { loadOrCreateSecretKeys, parseSecretKeys, type SecretKey } from './platform/secret.ts'

/** Opens the configured database. */
export function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl === undefined)
    return openEmbedded({ dataDir: config.dataDir, log: (warning) => log.error(warning) })
  return openPostgres({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    poolSize: config.databasePoolSize,
    pipeline: config.databasePipeline === 'on',
    statementTimeoutMs: config.statementTimeoutMs,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
    onWarning: (message) => log.warn(message),
  })
}

/** The master keys: SECRET_KEYS, else those stored beside the embedded database. */
export async function openSecretKeys({ secretKeys, dataDir }: Config): Promise<SecretKey[]> {
  return secretKeys === undefined ? await loadOrCreateSecretKeys(dataDir) : parseSecretKeys(secretKeys)
}
