import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachedCluster, dumpCluster, keepCluster } from './platform/db/embedded/prepared-cluster.ts'
import { openEmbedded } from './platform/db/embedded.ts'
import { migrate, migrationsDigest } from './platform/migrate.ts'

const fileOfSchema = async () => cachedCluster(`schema-${(await migrationsDigest()).slice(0, 16)}`)

/**
 * The file of an embedded database that has the schema of this version and no data; undefined where installation has
 * prepared none. A first start begins with it, in place of applying each migration.
 */
export async function findPreparedDatabase(): Promise<string | undefined> {
  const file = await fileOfSchema()
  return existsSync(file) ? file : undefined
}

/** Prepares the file that `findPreparedDatabase` finds, unless it is there. */
export async function prepareDatabase(): Promise<void> {
  const file = await fileOfSchema()
  if (existsSync(file)) return
  const dataDir = await mkdtemp(join(tmpdir(), 'precedent-prepare-'))
  try {
    const database = await openEmbedded({ dataDir })
    await migrate(database)
    await database.close()
    await keepCluster(file, await dumpCluster(join(dataDir, 'postgres')))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
