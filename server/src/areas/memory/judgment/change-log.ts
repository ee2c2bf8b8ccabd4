import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'

/**
 * Takes the next `count` change numbers of the API key's judgments and returns the last of them. The row stays locked
 * until the commit. Call it before locking the rows themselves, so that writers queue here.
 */
export async function takeChanges(db: Db, { apiKey }: ApiKeyTenant, count: number): Promise<number> {
  const [log] = await db.query<{ change: number }>(sql`
    insert into judgment_log (api_key, change)
    values (${apiKey}, ${count})
    on conflict (api_key) do update set change = judgment_log.change + excluded.change
    returning change`)
  if (!log) throw new Error('The log of judgments has no row.')
  return log.change
}
