import { createHash } from 'node:crypto'
import type { WorkerContext } from '../context.ts'
import { DAY_MS } from '../date-range.ts'
import { type Db, sql, type Transaction } from '../db/db.ts'
import { ApiError, invalidField } from '../errors.ts'
import type { Secrets } from '../secret.ts'
import { pruning } from '../work/pruning.ts'
import type { Source } from '../work/worker.ts'

/** How long a response can be replayed. */
const IDEMPOTENCY_TTL_MS = DAY_MS

/** What makes a call unique: its key, its caller, its operation and its body. */
interface IdempotentCall {
  key: string
  /** The API key, or the workspace id for workspace operations. */
  owner: string
  operation: string
  body: string
}

/** Parses an Idempotency-Key header: 1 to 255 visible ASCII characters (draft-ietf-httpapi-idempotency-key). */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const [value = '', ...more] = [header].flat()
  if (more.length > 0 || !/^[\x21-\x7e]{1,255}$/.test(value)) {
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  }
  return value
}

/**
 * Runs `work` once per key. The first response is stored sealed, in the same transaction, and replayed for 24 hours.
 * The same key with another body is ALREADY_EXISTS. A concurrent call with the same key waits for the first.
 */
export async function runOnce(
  db: Transaction,
  secrets: Secrets,
  call: IdempotentCall,
  work: () => Promise<string>,
): Promise<string> {
  const { owner, operation } = call
  const key = digest(call.key)
  const body = digest(call.body)
  const [fresh] = await db.query(sql`
    insert into idempotency_key (owner, operation, key, body, answer, expires_at)
    values (${owner}, ${operation}, ${key}, ${body}, '', now_ms() + ${IDEMPOTENCY_TTL_MS}::bigint)
    on conflict (owner, operation, key) do update
    set body = excluded.body, answer = '', expires_at = excluded.expires_at
    where idempotency_key.expires_at <= now_ms()
    returning 1 as fresh`)
  const context = `idempotency:${owner}:${operation}`
  if (!fresh) return replay(db, secrets, { owner, operation, key, body, context })
  const answer = await work()
  db.send(sql`
    update idempotency_key set answer = ${secrets.seal(answer, context)}
    where owner = ${owner} and operation = ${operation} and key = ${key}`)
  return answer
}

async function replay(
  db: Db,
  secrets: Secrets,
  call: { owner: string; operation: string; key: Buffer; body: Buffer; context: string },
): Promise<string> {
  const [kept] = await db.query<{ body: Uint8Array; answer: string }>(sql`
    select body, answer from idempotency_key
    where owner = ${call.owner} and operation = ${call.operation} and key = ${call.key}`)
  if (!kept || !call.body.equals(kept.body)) {
    throw new ApiError('ALREADY_EXISTS', 'This Idempotency-Key was used with another body.')
  }
  return secrets.open(kept.answer, call.context)
}

const PRUNE_BATCH = 1_000

/** Deletes responses that can no longer be replayed, a small batch at a time. */
export const idempotencyPruning = ({ db, services: { clock } }: Pick<WorkerContext, 'db' | 'services'>): Source =>
  pruning('idempotency pruning', clock, async () => {
    const removed = await db.query(sql`
      with old as (
        select owner, operation, key from idempotency_key where expires_at <= now_ms() limit ${PRUNE_BATCH}
      )
      delete from idempotency_key i
      using old
      where i.owner = old.owner and i.operation = old.operation and i.key = old.key and i.expires_at <= now_ms()
      returning 1 as removed`)
    return removed.length
  })

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Deletes the remembered answers of an API key or workspace. */
export const forgetAnswers = (db: Db, owner: string): Promise<object[]> =>
  db.query(sql`delete from idempotency_key where owner = ${owner}`)
