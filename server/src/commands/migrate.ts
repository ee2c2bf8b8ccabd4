import { readConfig } from '../platform/config.ts'
import { migrationNames } from '../platform/migrate.ts'
import { onDatabase } from './on-database.ts'
import { runCommand } from './run-command.ts'

/** Brings the database to the version of this program, as a start of the server does, and ends. */
async function main([option]: string[]): Promise<void> {
  await onDatabase(readConfig(), async () => {}, { mayCreate: true })
  const names = await migrationNames()
  const text =
    option === '--json'
      ? JSON.stringify({ migrations: names.length, last: names.at(-1) })
      : `The database is up to date: ${names.length} migrations, the last is ${names.at(-1)}.`
  process.stdout.write(`${text}\n`)
}

runCommand(main)
