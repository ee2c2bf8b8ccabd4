import { once } from 'node:events'
import { checkSecretKeys } from '../check-secret-keys.ts'
import { openDatabase, openSecretKeys } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { exportData, importData } from '../platform/db/transfer.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'

/**
 * `export` writes all data as lines of JSON to standard output; `import` replaces all data by those of standard input.
 */
async function main([direction]: string[]): Promise<void> {
  if (direction !== 'export' && direction !== 'import') throw new Error('Say export or import.')
  const config = readConfig()
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
    if (direction === 'import') {
      const keys = await openSecretKeys(config)
      await importData(database, process.stdin, (db) => checkSecretKeys(db, config, keys))
    } else await exportData(database, writeLine)
  } finally {
    await database.close()
  }
}

async function writeLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
