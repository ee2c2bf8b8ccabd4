import { resealLogs } from '../areas/activities/log/reseal-logs.ts'
import { openDatabase, openSecretKeys } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { rotateColumn } from '../platform/keys/rotation.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { createSecrets } from '../platform/secret.ts'
import { sealedColumns } from '../sealed-columns.ts'

/**
 * Re-encrypts every sealed value with the first of SECRET_KEYS. Run it after every process of the service has restarted
 * with the new key in front; then the old keys can be removed.
 */
async function main(): Promise<void> {
  const config = readConfig()
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
    const secrets = createSecrets(await openSecretKeys(config))
    for (const column of sealedColumns) {
      const count = await rotateColumn(database, secrets, column)
      process.stdout.write(`${column.table}.${column.column}: ${count} sealed anew\n`)
    }
    process.stdout.write(`activity_log.seal: ${await resealLogs(database, secrets)} sealed anew\n`)
    process.stdout.write(`Everything is sealed with the key ${secrets.currentKeyId}; the others can be dropped.\n`)
  } finally {
    await database.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
