import { createOperatorLink, LINK_MINUTES, linkAddress } from '../areas/operators/link.ts'
import { openDatabase } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'

const USAGE = 'usage: operator link [email]'

/**
 * Makes a link that signs an operator of the whole installation in to the console, once and within 30 minutes. An unknown
 * address becomes an operator. It needs the database, so only the operator of the machine can run it.
 */
async function main([action, email, ...others]: string[]): Promise<void> {
  if (action !== 'link' || others.length > 0) throw new Error(USAGE)
  const config = readConfig()
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
    const token = await createOperatorLink(database, email)
    const base = config.publicUrl ?? `http://${config.host}:${config.port}`
    process.stdout.write(`Open within ${LINK_MINUTES} minutes, once:\n  ${linkAddress(base, token)}\n`)
  } finally {
    await database.close()
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
