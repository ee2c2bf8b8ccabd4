import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { startReceiver } from '../../../test/receiver.ts'
import {
  newWorkspace,
  type Service,
  startAlone,
  startService,
  type TestWorkspace,
} from '../../../test/running-service.ts'
import { emitEvents } from '../../../test/webhook-events.ts'
import { raw, sql } from '../../platform/db/db.ts'
import { firstIdAt } from '../../platform/id.ts'
import { webhookPruning } from './prune.job.ts'

const DAY = 86_400_000

let service: Service
let ws: TestWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
})
afterEach(() => {
  service.clock.ahead = 0
})

async function count(table: string): Promise<number | undefined> {
  const [row] = await service.database.query<{ count: number }>(
    sql`select count(*) as count from ${raw(table)} where api_key = ${ws.apiKey}`,
  )
  return row?.count
}

const counts = () => Promise.all(['event', 'webhook_delivery', 'webhook_attempt'].map(count))

async function partitions(): Promise<string[]> {
  const rows = await service.database.query<{ name: string }>(
    sql`select relname as name from pg_class where relname ~ '^webhook_attempt_w[0-9]+$' and relkind = 'r' order by 1`,
  )
  return rows.map(({ name }) => name)
}

test('events, deliveries and attempts go when they are older than the retention, what is pending stays', async () => {
  const { url, close } = await startReceiver()
  onTestFinished(close)
  const endpoint = { url, filterTypes: ['comment.add'] }
  const { id } = (await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', endpoint)).data
  await emitEvents(service, ws, 'comment.add', [{}, {}])
  await service.drainJobs()
  await emitEvents(service, ws, 'comment.update')
  service.clock.ahead = 29 * DAY
  await service.drainJobs()
  expect(await counts()).toEqual([3, 2, 2])
  await service.database.query(
    sql`update webhook_endpoint set next_send_at = 1e15 where api_key = ${ws.apiKey} and id = ${id}`,
  )
  await emitEvents(service, ws, 'comment.add')
  service.clock.ahead = 31 * DAY
  await service.drainJobs()
  expect(await counts()).toEqual([1, 1, 0])
})

test('attempts of a week to come have their partition, which is dropped when all of it is old', async () => {
  await service.drainJobs()
  const week = Math.floor(Date.now() / (7 * DAY))
  expect(await partitions()).toEqual(
    expect.arrayContaining([`webhook_attempt_w${week + 1}`, `webhook_attempt_w${week + 2}`]),
  )
  const inNextWeek = firstIdAt('msg_', (week + 1) * 7 * DAY + DAY).padEnd(30, '0')
  await service.database.query(sql`
    insert into webhook_attempt (api_key, event_id, endpoint_id, number, sent_at, duration_ms, url)
    values (${ws.apiKey}, ${inNextWeek}, 'raw', 1, 1, 1, '')`)
  expect(await count(`webhook_attempt_w${week + 1}`)).toBe(1)
  service.clock.ahead = 36 * DAY
  await service.drainJobs()
  expect(await count('webhook_attempt')).toBe(1)
  service.clock.ahead = 45 * DAY
  await service.drainJobs()
  expect(await count('webhook_attempt')).toBe(0)
  expect(await partitions()).not.toContain(`webhook_attempt_w${week + 1}`)
})

test('the partitions of weeks to come are made before anything old is removed', async () => {
  await service.drainJobs()
  await emitEvents(service, ws, 'comment.add')
  service.clock.ahead = 80 * DAY
  const { services } = service.app
  const week = Math.floor(services.clock.now() / (7 * DAY))
  expect(await webhookPruning({ db: service.database, services }).work(() => {})).toBeGreaterThan(0)
  expect(await partitions()).toContain(`webhook_attempt_w${week + 1}`)
})

test('removing events looks up their deliveries, and reads none of those that are kept', {
  timeout: 60_000,
}, async () => {
  const alone = await startAlone()
  const { app, clock, database } = alone
  const { apiKey } = await newWorkspace(alone)
  await database.query(sql`
    insert into event (api_key, id, type, organization_id, advanced, basic, processed)
    select ${apiKey}, ${firstIdAt('msg_', Date.now())}::text || n, 'comment.add', '', '{}', '{}', '{}'
    from generate_series(1, 2000) as n`)
  clock.ahead = 31 * DAY
  await database.query(sql`
    insert into webhook_delivery (api_key, event_id, endpoint_id, event_type, status, due_at)
    select ${apiKey}, ${firstIdAt('msg_', app.services.clock.now())}::text || n, 'raw', 'comment.add', 'succeeded', 0
    from generate_series(1, 40000) as n`)
  await database.query(sql`analyze event, webhook_delivery`)
  const [read] = await database.transaction(async (db) => {
    expect(await webhookPruning({ db, services: app.services }).work(() => {})).toBe(1_000)
    return db.query<{ rows: number }>(sql`
      select seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'webhook_delivery'`)
  })
  expect(read?.rows).toBeLessThan(1_000)
})

test('what is old goes in batches of 1,000: the deliveries, then the events', async () => {
  const old = firstIdAt('msg_', Date.now() - 31 * DAY)
  await service.drainJobs()
  await service.database.query(sql`
    insert into event (api_key, id, type, organization_id, advanced, basic, processed)
    select ${ws.apiKey}, ${old}::text || n, 'comment.add', '', '{}', '{}', '{}'
    from generate_series(1, 1500) as n`)
  await service.database.query(sql`
    insert into webhook_delivery (api_key, event_id, endpoint_id, event_type, status, due_at)
    select ${ws.apiKey}, ${old}::text || n, 'raw', 'comment.add', 'succeeded', 0
    from generate_series(1, 1500) as n`)
  const pruning = webhookPruning({ db: service.database, services: service.app.services })
  const removed: number[] = []
  do removed.push(await pruning.work(() => {}))
  while (removed.at(-1))
  expect(removed).toEqual([1000, 500, 1000, 500, 0])
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'whoever reads attempts for long, as a backup does, delays partitions and no delivery',
  async () => {
    await service.drainJobs()
    service.clock.ahead = 120 * DAY
    const [reading, read] = [gate(), gate()]
    const backup = service.database.transaction(async (db) => {
      await db.query(sql`select from webhook_attempt where api_key = ${ws.apiKey}`)
      reading.open()
      await read.opened
    })
    await reading.opened
    const { services } = service.app
    const pruned = webhookPruning({ db: service.database, services }).work(() => {})
    await expect(pruned).rejects.toMatchObject({ code: '55P03' })
    read.open()
    await backup
  },
)
