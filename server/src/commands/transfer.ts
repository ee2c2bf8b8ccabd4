import { once } from 'node:events'
import { checkSecretKeys } from '../check-secret-keys.ts'
import { openDatabase, openSecretKeys } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { DirectoryInUse } from '../platform/db/data-directory.ts'
import { exportData, importData } from '../platform/db/transfer.ts'
import { linesOf } from '../platform/lines.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'

/** The exit code where a running server holds the embedded database. It can be asked instead. */
const IN_USE = 75

/**
 * `export` writes all data as lines of JSON to standard output; `import` replaces all data by those of standard input.
 */
async function main([direction]: string[]): Promise<void> {
  if (direction !== 'export' && direction !== 'import') throw new Error('Say export or import.')
  const config = readConfig()
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
    const keys = await openSecretKeys(config)
    if (direction === 'import') {
      await importData(database, linesOf(process.stdin), (db) => checkSecretKeys(db, config, keys))
    } else {
      await exportData(database, write, { at: new Date().toISOString(), keys: keys.map(({ id }) => id) })
    }
  } finally {
    await database.close()
  }
}

async function write(lines: string): Promise<void> {
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof DirectoryInUse ? IN_USE : 1
})
