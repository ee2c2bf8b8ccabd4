import { openDatabase } from '../open-database.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/db.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'

/**
 * Brings the configured database to the version of this program, runs work on it, and closes it. Without `mayCreate` an
 * embedded one must exist.
 */
export async function onDatabase(
  config: Config,
  work: (database: Database) => Promise<void>,
  { mayCreate = false } = {},
): Promise<void> {
  const log = createLog(config)
  const database = await openDatabase(config, log, { mustExist: !mayCreate })
  try {
    await migrate(database, { log })
    await work(database)
  } finally {
    await database.close()
  }
}
