import { createApp } from '../../server/src/app.ts'
import { signedHeaders } from '../../server/src/areas/webhooks/sending/signature.ts'
import { openDatabase, openSecretKeys } from '../../server/src/open-database.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { type Database, sql } from '../../server/src/platform/db/db.ts'
import { createEmit, type PublicPayload, publicEvent } from '../../server/src/platform/event.ts'
import { firstIdAt, randomId } from '../../server/src/platform/id.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { createEnqueue } from '../../server/src/platform/work/job.ts'
import { createWorkerWakeup } from '../../server/src/platform/work/wakeup.ts'
import { subscriptions } from '../../server/src/subscriptions.ts'
import { callsOf, newTenant } from '../in-process.ts'
import { epochNow } from './clock.ts'
import type { Signed } from './process.ts'

const WEEK_MS = 604_800_000
const STORED_WEEKS = 4
const STORED_AT_ONCE = 50_000
const TYPE = 'comment.add'

export type Service = Awaited<ReturnType<typeof openService>>
export type Customer = Awaited<ReturnType<typeof newCustomer>>

/** A migrated database with the partitions that a service of some age has, and the means to call and to emit. */
export async function openService(env: Record<string, string>) {
  // What is stored beforehand takes its time.
  const config = readConfig({ ...env, STATEMENT_TIMEOUT_MS: '0' })
  const log = createLog(config)
  const database = await openDatabase(config, log)
  await migrate(database)
  const app = createApp({ config, database, secretKeys: await openSecretKeys(config), log })
  return { database, services: app.services, wake: createWorkerWakeup(database, log), call: callsOf(app) }
}

/** A customer of so many endpoints, of which each event goes to one, in turn. */
export async function newCustomer(service: Service, url: string, endpoints: number) {
  const { call, database, services, wake } = service
  const { tenant, headers } = await newTenant(call)
  const { apiKey } = tenant
  await call('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true }, headers)
  const secrets: Record<string, string> = {}
  const ids: string[] = []
  for (let i = 0; i < endpoints; i++) {
    const path = `/${apiKey}/${i}`
    const operations = '/v2/workspace/advancedwebhook/endpoints'
    const { id } = await call(`${operations}/create`, { url: url + path, channels: [`document-${i}`] }, headers)
    secrets[path] = (await call(`${operations}/secret/get`, { endpointId: id }, headers)).secret
    ids.push(id)
  }
  let emitted = 0
  return {
    apiKey,
    endpointIds: ids,
    secrets,
    paths: Object.keys(secrets),
    /** Writes events in one transaction. Returns the milliseconds from its begin to its commit. */
    async emit(count: number): Promise<number> {
      const begun = epochNow()
      const payloads = Array.from({ length: count }, () => payload(emitted++ % endpoints, begun))
      await database.transaction(async (db) => {
        const enqueue = createEnqueue(db, tenant, services)
        await createEmit(subscriptions, { ...services, db, tenant, enqueue })(
          publicEvent<PublicPayload>(TYPE),
          payloads,
        )
      })
      const took = epochNow() - begun
      wake()
      return took
    },
    /** Deletes the endpoints, with what waits for them. */
    async deleteEndpoints(): Promise<void> {
      for (const endpointId of ids) {
        await call('/v2/workspace/advancedwebhook/endpoints/delete', { endpointId }, headers)
      }
    },
    /** The requests that so many events lead to, for the bare loop. */
    signed: (count: number): Signed[] =>
      Array.from({ length: count }, (_, n) => {
        const path = `/${apiKey}/${n % endpoints}`
        const id = randomId('msg_')
        const body = JSON.stringify({ event: TYPE, ...payload(n % endpoints, Date.now()).advanced, webhookId: id })
        const proof = signedHeaders([secrets[path] ?? ''], { id, timestamp: Math.floor(Date.now() / 1000), body })
        return { path, body, headers: { 'content-type': 'application/json', 'user-agent': 'Precedent', ...proof } }
      }),
  }
}

const person = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const comment = {
  commentId: 1,
  commentText: 'The margin in this table should follow the grid. '.repeat(4),
  from: person,
}

/** About what a comment says of itself: a little more than 1 kB. */
function payload(endpoint: number, emittedAt: number): PublicPayload {
  const metadata = { organizationId: 'acme', documentId: `document-${endpoint}`, documentName: 'Plan' }
  const annotation = { annotationId: 'a-1', status: { id: 'OPEN', name: 'Open', type: 'default' }, comments: [comment] }
  const data = { actionUser: person, commentAnnotation: annotation, targetComment: comment, metadata }
  return {
    organizationId: 'acme',
    documentId: metadata.documentId,
    advanced: { actionType: 'add', source: 'comment', platform: 'sdk', emittedAt, data },
    basic: {},
    processed: {},
  }
}

/** Stores deliveries of the last weeks, each with an event and one attempt, spread over the endpoints of a customer. */
export async function store(database: Database, { apiKey, endpointIds }: Customer, count: number): Promise<void> {
  const current = Math.floor(Date.now() / WEEK_MS)
  for (let week = current - STORED_WEEKS; week < current; week++) {
    await database.query(sql`select make_week(t, ${week}::bigint) from unnest(array['event', 'webhook_settled']) t`)
  }
  for (let first = 0; first < count; first += STORED_AT_ONCE) {
    const time = Math.floor(Date.now() - STORED_WEEKS * WEEK_MS * (1 - first / count))
    const last = Math.min(first + STORED_AT_ONCE, count) - 1
    await database.query(sql`
      with stored as materialized (
        select ${firstIdAt('msg_', time)} || lpad(n::text, 16, '0') as id,
          (${endpointIds}::text[])[1 + n % ${endpointIds.length}::integer] as endpoint_id
        from generate_series(${first}::bigint, ${last}::bigint) n
      ),
      stored_event as (
        insert into event (api_key, id, type, organization_id, advanced, basic, processed, created_at)
        select ${apiKey}, id, ${TYPE}, 'acme', '{}', '{}', '{}', ${time}::bigint
        from stored
      )
      insert into webhook_settled (api_key, event_id, endpoint_id, event_type, seq, status, attempt, sent_at,
        duration_ms, url, http_status, response)
      select ${apiKey}, id, endpoint_id, ${TYPE}, 1, 'succeeded', 1, ${time}::bigint, 5,
        'http://127.0.0.1/', 204, ''
      from stored`)
  }
  for (const name of ['event', 'webhook_settled']) await database.script(`vacuum analyze ${name}`)
}

/** How many attempts of a customer are recorded as taken. */
export async function recorded(database: Database, { apiKey }: Customer): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*) as count from webhook_attempt where api_key = ${apiKey} and http_status = 204`,
  )
  return row?.count ?? 0
}
