import { once } from 'node:events'
import { auditCommand } from '../areas/audit/audit-call.ts'
import { checkSecretKeys, openFittingKeys } from '../check-secret-keys.ts'
import { openSecretKeys } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import type { Database } from '../platform/db/db.ts'
import { exportData, importData } from '../platform/db/transfer.ts'
import { linesOf } from '../platform/lines.ts'
import { onDatabase } from './on-database.ts'
import { runCommand } from './run-command.ts'

const USAGE = 'usage: export > <file>, or import < <file>, which replaces all data'

/**
 * `export` writes all data as lines of JSON to standard output; `import` replaces all data by those of standard input,
 * and may create the database.
 */
async function main([direction, ...others]: string[]): Promise<void> {
  if ((direction !== 'export' && direction !== 'import') || others.length > 0) throw new Error(USAGE)
  const config = readConfig()
  const work = async (database: Database) => {
    if (direction === 'import') {
      const keys = await openSecretKeys(config)
      const rows = await importData(database, linesOf(process.stdin), async (db) => {
        await checkSecretKeys(db, config, keys)
        await auditCommand(db, { action: 'import' })
      })
      process.stdout.write(`${rows} rows are imported.\n`)
    } else {
      // With other keys it could not be restored.
      const keys = await openFittingKeys(database, config)
      await database.transaction((db) => auditCommand(db, { action: 'export' }))
      const about = { at: new Date().toISOString(), keys: keys.map(({ id }) => id) }
      // A server that starts meanwhile would wait for the directory, and give up.
      await exportData(database, write, about, { isLast: true })
    }
  }
  await onDatabase(config, work, { mayCreate: direction === 'import' })
}

async function write(lines: string): Promise<void> {
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
}

runCommand(main)
