import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsInVain, scansBy } from '../../../../test/measuring/explained.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../../test/webhook-workspace.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { claimReady } from './claim.ts'
import { promoteDue } from './ready-endpoints.ts'
import { recordOutcomes } from './record-outcomes.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const WAITING = 1_000
const CLAIMED = 300

let service: Service
let ws: WebhookWorkspace
let endpointId: string

beforeAll(async () => {
  service = await startService()
  ws = await newWebhookWorkspace(service)
  endpointId = (await ws.createEndpoint({ url: 'https://receiver.example.com' })).id
  const fill = () =>
    ws.emit(
      'comment.add',
      Array.from({ length: WAITING }, () => ({})),
    )
  await fill()
  await service.database.query(sql`delete from webhook_pending where api_key = ${ws.apiKey}`)
  // The table keeps its pages, so the planner takes a queue of this size to be empty.
  await service.database.script('vacuum (analyze, truncate off) webhook_pending')
  await fill()
})

// The receiver does not exist, and tests that share the service would wait for these deliveries.
afterAll(() => ws.ok(`${ENDPOINTS}/delete`, { endpointId }))

const inVain = (job: (db: Db) => Promise<unknown>) => rowsInVain(service.database, job)

const count = async (condition: Sql) => {
  const [row] = await service.database.query<{ count: number }>(
    sql`select count(*) as count from webhook_pending where api_key = ${ws.apiKey} and ${condition}`,
  )
  return Number(row?.count)
}

test('claiming and recording look deliveries up one by one, even if the planner takes the queue to be empty', async () => {
  const now = Date.now()
  const allowance = { apiKey: ws.apiKey, endpointId, from: 0, count: CLAIMED, paced: false }
  expect(await inVain((db) => claimReady(db, [allowance], { paced: false, now, expectedLatencyMs: 0 }))).toBeLessThan(
    WAITING,
  )
  expect(await count(sql`attempt = 1`)).toBe(CLAIMED)

  const claimed = await service.database.query<{ eventId: string; claimedUntil: number }>(sql`
    select event_id as "eventId", claimed_until as "claimedUntil"
    from webhook_pending
    where api_key = ${ws.apiKey} and attempt = 1`)
  const outcomes = claimed.map((delivery, i) => ({
    ...delivery,
    apiKey: ws.apiKey,
    endpointId,
    attempt: 1,
    sent: true,
    status: i % 2 ? ('succeeded' as const) : ('scheduled' as const),
    dueAt: now,
    sentAt: now,
    durationMs: 1,
    url: 'https://receiver.example.com',
    httpStatus: i % 2 ? 200 : 500,
    response: '',
    error: null,
  }))
  // A few rows are read in vain per outcome, not one per delivery in the queue.
  expect(await inVain((db) => recordOutcomes(db, outcomes, now))).toBeLessThan(5 * CLAIMED)
  expect([await count(sql`true`), await count(sql`status = 'scheduled'`)]).toEqual([WAITING - CLAIMED / 2, CLAIMED / 2])

  expect(await inVain((db) => promoteDue(db, now))).toBeLessThan(WAITING)
  expect(await count(sql`status = 'ready'`)).toBe(WAITING - CLAIMED / 2)
})

test('a claim looks each event up by its key, also in the partitions that are still empty', async () => {
  const allowance = { apiKey: ws.apiKey, endpointId, from: 0, count: 1, paced: false }
  const claim = (db: Db) => claimReady(db, [allowance], { paced: false, now: Date.now(), expectedLatencyMs: 0 })
  const byKey = await scansBy(/^event_.*_pkey$/, service.database, claim)
  // The partitions of this week and the next two, and the default one.
  expect(byKey).toBeGreaterThanOrEqual(4)
  expect(await scansBy(/^event_/, service.database, claim)).toBe(byKey)
})
