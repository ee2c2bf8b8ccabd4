import { openDatabase } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { migrate, migrationNames } from '../platform/migrate.ts'

/** Brings the database to the version of this program, as a start of the server does, and ends. */
async function main(): Promise<void> {
  const config = readConfig()
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
  const names = await migrationNames()
  process.stdout.write(`The database is up to date: ${names.length} migrations, the last is ${names.at(-1)}.\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
