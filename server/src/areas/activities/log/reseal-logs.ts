import { type Db, sql } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { sealInput } from './chain.ts'

const BATCH = 500

interface SealedLog {
  api_key: string
  organization_key: string
  count: number
  head: string
  seal: string
}

/**
 * Re-seals every log with the current key, so that old keys can be dropped. Returns how many logs it sealed. A seal
 * that does not match is left alone, since it shows tampering. A log that is written at the same time is sealed by its
 * writer.
 */
export async function resealLogs(db: Db, secrets: Secrets): Promise<number> {
  let total = 0
  let after: SealedLog | undefined
  for (;;) {
    const logs = await readBatch(db, secrets, after)
    after = logs.at(-1)
    if (!after) return total
    total += await writeBatch(db, secrets, logs)
  }
}

function readBatch(db: Db, secrets: Secrets, after: SealedLog | undefined): Promise<SealedLog[]> {
  return db.query<SealedLog>(sql`
    select api_key, organization_key, count, encode(head, 'hex') as head, seal
    from activity_log
    where seal <> 'broken'
      and split_part(seal, '.', 1) <> ${secrets.currentKeyId}
      and (${after === undefined}::boolean
        or (api_key, organization_key) > (${after?.api_key ?? ''}::text, ${after?.organization_key ?? null}::uuid))
    order by api_key, organization_key
    limit ${BATCH}`)
}

async function writeBatch(db: Db, secrets: Secrets, logs: SealedLog[]): Promise<number> {
  const textOf = (log: SealedLog) => sealInput(log.api_key, log.organization_key, log)
  const sound = logs.filter((log) => secrets.verify(textOf(log), log.seal))
  const written = await db.query(sql`
    update activity_log as l
    set seal = fresh.seal
    from unnest(
      ${sound.map((log) => log.api_key)}::text[],
      ${sound.map((log) => log.organization_key)}::uuid[],
      ${sound.map((log) => log.seal)}::text[],
      ${sound.map((log) => secrets.hash(textOf(log)))}::text[]
    ) as fresh (api_key, organization_key, old_seal, seal)
    where l.api_key = fresh.api_key and l.organization_key = fresh.organization_key and l.seal = fresh.old_seal
    returning 1 as written`)
  return written.length
}
