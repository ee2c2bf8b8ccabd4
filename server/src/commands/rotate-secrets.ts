import { resealLogs } from '../areas/activities/log/reseal-logs.ts'
import { auditCommand } from '../areas/audit/audit-call.ts'
import { openFittingKeys } from '../check-secret-keys.ts'
import { readConfig } from '../platform/config.ts'
import { rotateColumn } from '../platform/keys/rotation.ts'
import { createSecrets } from '../platform/secret.ts'
import { sealedColumns } from '../sealed-columns.ts'
import { onDatabase } from './on-database.ts'
import { runCommand } from './run-command.ts'

/**
 * Re-encrypts every sealed value with the first of SECRET_KEYS. Run it after every process of the service has restarted
 * with the new key in front; then the old keys can be removed.
 */
async function main([option, ...others]: string[]): Promise<void> {
  if ((option !== undefined && option !== '--json') || others.length > 0)
    throw new Error('usage: rotate-secrets [--json]')
  const config = readConfig()
  await onDatabase(config, async (database) => {
    const secrets = createSecrets(await openFittingKeys(database, config))
    const { currentKeyId: key } = secrets
    // Before the first batch: what is interrupted has begun.
    await database.transaction((db) => auditCommand(db, { action: 'rotate-secrets', detail: { sealedWith: key } }))
    const report = (what: string, sealed: number) =>
      print(option === '--json' ? JSON.stringify({ what, sealed, key }) : `${what}: ${sealed} sealed anew`)
    for (const column of sealedColumns) {
      report(`${column.table}.${column.column}`, await rotateColumn(database, secrets, column))
    }
    report('activity_log.seal', await resealLogs(database, secrets))
    if (option !== '--json') print(`Everything is sealed with the key ${key}; the others can be dropped.`)
  })
}

const print = (line: string) => process.stdout.write(`${line}\n`)

runCommand(main)
