import { afterEach, beforeEach, expect, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { testReceiver } from '../../../test/receiver.ts'
import { newWorkspace, type Service, startAlone, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'
import { raw, sql } from '../../platform/db/db.ts'
import { firstIdAt } from '../../platform/id.ts'
import { deliveryId } from './delivery/delivery-record.ts'
import { webhookPruning } from './prune.worker.ts'

const DAY = 86_400_000

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
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
    sql`select relname as name from pg_class where relname ~ '_w[0-9]+$' and relkind = 'r' order by 1`,
  )
  return rows.map(({ name }) => name)
}

test('events, deliveries and attempts are removed after the retention; pending ones stay', async () => {
  const { url } = await testReceiver()
  const { id } = await ws.createEndpoint({ url, filterTypes: ['comment.add'] })
  await ws.emit('comment.add', [{}, {}])
  await service.drainJobs()
  await ws.emit('comment.update')
  service.clock.ahead = 29 * DAY
  await service.drainJobs()
  expect(await counts()).toEqual([3, 2, 2])
  await service.database.query(
    sql`update webhook_endpoint set next_send_at = 1e15 where api_key = ${ws.apiKey} and id = ${id}`,
  )
  await ws.emit('comment.add')
  service.clock.ahead = 38 * DAY
  await service.drainJobs()
  expect(await counts()).toEqual([1, 1, 0])
  await ws.ok('/v2/workspace/advancedwebhook/endpoints/delete', { endpointId: id })
  await prune(38)
  expect(await counts()).toEqual([0, 0, 0])
})

test('partitions begin with the first event id of their week', async () => {
  const week = Math.floor(Date.now() / (7 * DAY))
  const [row] = await service.database.query(sql`select first_id_of_week(${week}::bigint) as first`)
  expect(row).toEqual({ first: firstIdAt('msg_', week * 7 * DAY) })
})

test('rows written before the partition of their week was made stay where they are', async () => {
  const { app, clock, database } = await startAlone()
  clock.ahead = 60 * DAY
  const week = Math.floor(app.services.clock.now() / (7 * DAY))
  await database.query(sql`
    insert into event (api_key, id, type, organization_id, advanced, basic, processed)
    values ('k', ${firstIdAt('msg_', (week + 1) * 7 * DAY)}, 'comment.add', '', '{}', '{}', '{}')`)
  await webhookPruning({ db: database.work, services: app.services }).work(() => {})
  const made = await database.query<{ name: string }>(
    sql`select relname as name from pg_class where relname ~ '^event_w[0-9]+$' and relkind = 'r'`,
  )
  const names = made.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([`event_w${week}`, `event_w${week + 2}`]))
  expect(names).not.toContain(`event_w${week + 1}`)
})

const TABLES = ['event', 'webhook_earlier_attempt', 'webhook_settled']
const partitionsOf = (week: number) => TABLES.map((table) => `${table}_w${week}`)

/** Stores a settled delivery, its event and an earlier attempt, all written at a time. */
async function store(time: number): Promise<{ eventId: string; endpointId: string }> {
  const eventId = firstIdAt('msg_', time).padEnd(30, '0')
  const { id: endpointId } = (await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', { url: 'https://e.com' }))
    .data
  await service.database.query(sql`
    insert into event (api_key, id, type, organization_id, advanced, basic, processed)
    values (${ws.apiKey}, ${eventId}, 'comment.add', '', '{}', '{}', '{}')`)
  await service.database.query(sql`
    insert into webhook_settled (
      api_key, event_id, endpoint_id, event_type, seq, status, attempt, sent_at, duration_ms, url)
    values (${ws.apiKey}, ${eventId}, ${endpointId}, 'comment.add', 1, 'succeeded', 2, 1, 1, '')`)
  await service.database.query(sql`
    insert into webhook_earlier_attempt (api_key, event_id, endpoint_id, number, sent_at, duration_ms, url)
    values (${ws.apiKey}, ${eventId}, ${endpointId}, 1, 1, 1, '')`)
  return { eventId, endpointId }
}

/** Prunes as if it were some days later, until nothing is left to remove. */
async function prune(days: number): Promise<void> {
  service.clock.ahead = days * DAY
  const { services } = service.app
  const pruning = webhookPruning({ db: service.database.work, services })
  while ((await pruning.work(() => {})) > 0);
}

test('coming weeks have partitions, which are dropped when all their rows are old', async () => {
  await prune(0)
  const week = Math.floor(Date.now() / (7 * DAY))
  expect(await partitions()).toEqual(expect.arrayContaining([...partitionsOf(week + 1), ...partitionsOf(week + 2)]))
  await store((week + 1) * 7 * DAY + DAY)
  expect(await Promise.all(partitionsOf(week + 1).map(count))).toEqual([1, 1, 1])
  expect(await counts()).toEqual([1, 1, 2])
  await prune(36)
  expect(await counts()).toEqual([1, 1, 2])
  await prune(45)
  expect(await counts()).toEqual([0, 0, 0])
  expect(await partitions()).not.toEqual(expect.arrayContaining(partitionsOf(week + 1).slice(0, 1)))
})

test('an event with pending deliveries outlives its partition, and is removed when they end', async () => {
  await prune(0)
  const week = Math.floor(Date.now() / (7 * DAY)) + 1
  const { eventId, endpointId } = await store(week * 7 * DAY + DAY)
  await ws.ok('/v2/workspace/advancedwebhook/deliveries/resend', {
    deliveryId: deliveryId(eventId, endpointId),
  })
  await service.database.query(
    sql`update webhook_endpoint set next_send_at = 1e15 where api_key = ${ws.apiKey} and id = ${endpointId}`,
  )
  await prune(45)
  expect(await counts()).toEqual([1, 1, 0])
  expect(await partitions()).not.toContain(`event_w${week}`)
  expect(await count('event_rest')).toBe(1)
  await ws.ok('/v2/workspace/advancedwebhook/endpoints/delete', { endpointId })
  await prune(46)
  expect(await counts()).toEqual([0, 0, 0])
})

test('several processes may make and drop the same partitions', async () => {
  const { app, clock, database } = await startAlone()
  const prunings = Array.from({ length: 4 }, () => webhookPruning({ db: database.work, services: app.services }))
  for (const days of [0, 60, 120]) {
    clock.ahead = days * DAY
    await Promise.all(prunings.map((pruning) => pruning.work(() => {})))
  }
  const week = Math.floor(app.services.clock.now() / (7 * DAY))
  const names = await database.query<{ name: string }>(
    sql`select relname as name from pg_class where relname ~ '_w[0-9]+$' and relkind = 'r'`,
  )
  expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(partitionsOf(week)))
  expect(names.map(({ name }) => name)).not.toContain(`event_w${week - 17}`)
})

test('partitions of coming weeks are made before old rows are removed', async () => {
  await service.drainJobs()
  await store(Date.now() - 40 * DAY)
  service.clock.ahead = 80 * DAY
  const { services } = service.app
  const week = Math.floor(services.clock.now() / (7 * DAY))
  expect(await webhookPruning({ db: service.database, services }).work(() => {})).toBeGreaterThan(0)
  expect(await partitions()).toEqual(expect.arrayContaining(partitionsOf(week + 1)))
})

test('rows within the retention are not read', { timeout: 60_000 }, async () => {
  const alone = await startAlone()
  const { app, database } = alone
  const { apiKey } = await newWorkspace(alone)
  // A week may have begun since the database was prepared. To attach the partition of a week reads the default one.
  await webhookPruning({ db: database.work, services: app.services }).work(() => {})
  const write = (time: number, rows: number) =>
    database.query(sql`
    with event as (
      insert into event (api_key, id, type, organization_id, advanced, basic, processed)
      select ${apiKey}, ${firstIdAt('msg_', time)}::text || n, 'comment.add', '', '{}', '{}', '{}'
      from generate_series(1, ${rows}::integer) as n
      returning id
    )
    insert into webhook_settled (api_key, event_id, endpoint_id, event_type, seq, status, attempt)
    select ${apiKey}, id, 'raw', 'comment.add', 1, 'cancelled', 0
    from event`)
  await write(Date.now() - 31 * DAY, 1_500)
  await write(Date.now() - 29 * DAY, 40_000)
  await database.query(sql`analyze event, webhook_settled`)
  const read = await database.transaction(async (db) => {
    // As in the transactions of workers.
    await db.query(sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`)
    const pruning = webhookPruning({ db, services: app.services })
    for (const removed of [1_000, 500, 1_000, 500, 0]) expect(await pruning.work(() => {})).toBe(removed)
    return db.query<{ name: string; rows: number }>(sql`
      select relname as name, seq_tup_read + idx_tup_fetch as rows
      from pg_stat_xact_user_tables
      where relname in ('event_rest', 'webhook_settled_rest')
      order by relname`)
  })
  expect(read.map(({ name }) => name)).toEqual(['event_rest', 'webhook_settled_rest'])
  // Each removed row is found and then deleted.
  for (const { rows } of read) expect(rows).toBeLessThan(4_000)
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a long reader, such as a backup, delays the change of partitions but no delivery',
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
    const written = store(services.clock.now())
    await expect(pruned).rejects.toMatchObject({ code: '55P03' })
    await written
    read.open()
    await backup
  },
)
