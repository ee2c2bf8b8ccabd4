import { setTimeout } from 'node:timers/promises'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { type Database, sql } from '../../server/src/platform/db/db.ts'
import { openEmbedder } from '../../server/src/platform/embedder/open-embedder.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { parseSecretKeys } from '../../server/src/platform/secret.ts'
import { SECRET_KEYS } from '../api.ts'

/** A head is fitted to the judgments some time after the last of them was embedded. */
const AGAIN_MS = 1_000

/**
 * Runs a worker without any setting until all judgments are embedded and a head is fitted to them. There must be enough
 * of them for a head. Says how many of their texts have a vector, and how long each part took.
 */
export async function embedAndFit(
  database: Database,
  databaseUrl: string,
): Promise<{ seconds: number; fitSeconds: number; texts: number; known: number }> {
  const config = readConfig({ SECRET_KEYS, DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal' })
  const embedder = await openEmbedder(config)
  const secretKeys = parseSecretKeys(SECRET_KEYS)
  const { worker } = createApp({ config, database, secretKeys, log: createLog(config), embedder })
  const started = performance.now()
  await worker.drain()
  const seconds = (performance.now() - started) / 1000
  const fitting = performance.now()
  while (!(await hasHead(database))) {
    await setTimeout(AGAIN_MS)
    await worker.drain()
  }
  const fitSeconds = (performance.now() - fitting) / 1000
  await database.script('vacuum (analyze)')
  const [row] = await database.query<{ texts: number; known: number }>(sql`
    select count(*) as texts, count(embedding) as known from judgment_vector`)
  return { seconds, fitSeconds, texts: row?.texts ?? 0, known: row?.known ?? 0 }
}

async function hasHead(database: Database): Promise<boolean> {
  return (await database.query(sql`select from judgment_head`)).length > 0
}
