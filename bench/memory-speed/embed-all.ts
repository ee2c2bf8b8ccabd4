import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { type Database, sql } from '../../server/src/platform/db/db.ts'
import { openEmbedder } from '../../server/src/platform/embedder/open-embedder.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { parseSecretKeys } from '../../server/src/platform/secret.ts'
import { SECRET_KEYS } from '../api.ts'

/** Runs a worker without any setting until all judgments are embedded. Says how many of their texts have a vector. */
export async function embedAll(
  database: Database,
  databaseUrl: string,
): Promise<{ seconds: number; texts: number; known: number }> {
  const config = readConfig({ SECRET_KEYS, DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal' })
  const embedder = await openEmbedder(config)
  const secretKeys = parseSecretKeys(SECRET_KEYS)
  const { worker } = createApp({ config, database, secretKeys, log: createLog(config), embedder })
  const started = performance.now()
  await worker.drain()
  const seconds = (performance.now() - started) / 1000
  await database.script('vacuum (analyze)')
  const [row] = await database.query<{ texts: number; known: number }>(sql`
    select count(*) as texts, count(embedding) as known from judgment_vector`)
  return { seconds, texts: row?.texts ?? 0, known: row?.known ?? 0 }
}
