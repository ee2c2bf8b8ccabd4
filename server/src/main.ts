import { openDatabase } from './open-database.ts'
import { readConfig } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { withinOpenFiles } from './platform/settings/open-files.ts'
import { findPreparedDatabase } from './prepared-database.ts'

/** A server that was just told to end, or whose starter was killed, still finishes its work. */
const PREDECESSOR_MS = 10_000

/** Starts the process in its role. An embedded database starts in a thread of its own while the service is loaded. */
async function main(): Promise<void> {
  const config = withinOpenFiles(readConfig())
  const log = createLog(config)
  const opening = openDatabase(config, log, {
    prepared: findPreparedDatabase,
    isEarly: true,
    patienceMs: PREDECESSOR_MS,
  })
  opening.catch(() => {})
  const { serve } = await import('./serve.ts')
  await serve(config, log, await opening)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
