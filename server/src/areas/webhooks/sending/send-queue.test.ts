import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { gate } from '../../../../test/gate.ts'
import { blocksRead } from '../../../../test/measuring/explained.ts'
import { testReceiver } from '../../../../test/receiver.ts'
import { type Service, startAlone, startService } from '../../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../../test/webhook-workspace.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { createWorker } from '../../../platform/work/worker.ts'
import { webhookDeliveries } from '../deliver.worker.ts'
import { findReadyEndpoints, PAGE, type ReadyEndpoint } from './ready-endpoints.ts'
import { SendQueue } from './send-queue.ts'

const DELIVERIES = '/v2/workspace/advancedwebhook/deliveries'
const TIME = { now: Date.now() + 60_000, expectedLatencyMs: 0 }

let service: Service
let ws: WebhookWorkspace
let queue: SendQueue
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
  queue = new SendQueue(slowFullScans(service.database.work), { now: () => TIME.now })
})

/** Slows full scans down, so that after one the next is not due for a second or two. */
const slowFullScans = (db: Db): Db => ({
  query: async (statement) => {
    if (statement.text.includes('recursive')) await delay(300)
    return db.query(statement)
  },
})

const emit = (count: number) =>
  ws.emit(
    'comment.add',
    Array.from({ length: count }, () => ({})),
  )

/** Runs the next scan. Returns the endpoints of this test that it finds. */
async function scan() {
  const next = queue.nextScan()
  const found: ReadyEndpoint[] = []
  do found.push(...(await next.next()))
  while (!next.isAtStart)
  return { isFull: next.isFull, found: found.filter(({ apiKey }) => apiKey === ws.apiKey) }
}

/** Claims everything that the next scan finds. Returns how many, and whether the scan was full. */
async function claimAll() {
  const { isFull, found } = await scan()
  const allowances = found.map((each) => ({ ...each, count: 1_000 }))
  return { isFull, claimed: (await queue.claim(allowances, { ...TIME, paced: false })).length }
}

/** Creates an endpoint with deliveries, and claims them all. */
async function claimed(count: number) {
  const { id } = await ws.createEndpoint({ url: 'https://receiver.example.com' })
  await emit(count)
  expect(await claimAll()).toEqual({ isFull: true, claimed: count })
  return id
}

const clear = () => service.database.query(sql`delete from webhook_pending where api_key = ${ws.apiKey}`)

async function positions() {
  const rows = await service.database.query<{ seq: number }>(
    sql`select seq from webhook_pending where api_key = ${ws.apiKey} order by seq`,
  )
  return rows.map(({ seq }) => seq)
}

test('an incremental scan starts where the claims ended; a due full scan finds abandoned deliveries', async () => {
  await claimed(3)
  await emit(1)
  const [, second, , fourth] = await positions()
  // As if another process had abandoned it.
  await service.database.query(
    sql`update webhook_pending set claimed_until = 0 where api_key = ${ws.apiKey} and seq = ${second}`,
  )
  expect(await scan()).toMatchObject({ isFull: false, found: [{ from: fourth }] })
  expect(queue.forceFullScan()).toBe(true)
  expect(await scan()).toMatchObject({ isFull: true, found: [{ from: second }] })
  expect(queue.forceFullScan()).toBe(false)
  expect(await claimAll()).toEqual({ isFull: false, claimed: 2 })
  await clear()
})

test('a promoted retry is found at its position', async () => {
  await claimed(3)
  const [first] = await positions()
  await service.database.query(sql`
    update webhook_pending
    set claimed_until = 0, status = 'scheduled', due_at = 0
    where api_key = ${ws.apiKey} and seq = ${first}`)
  await queue.promote()
  expect(await claimAll()).toEqual({ isFull: false, claimed: 1 })
  await clear()
})

test('a promoted retry is found at its position even by a scan that has begun', async () => {
  const count = PAGE + 10
  await service.database.query(sql`
    insert into webhook_pending (api_key, event_id, endpoint_id, event_type, status, due_at)
    select ${ws.apiKey}, status || n, 'ep_' || lpad(n::text, 4, '0'), 'comment.add', status, ${TIME.now}::bigint
    from generate_series(1, ${count}::integer) n
    cross join (values (1, 'scheduled'), (2, 'ready')) as s (rank, status)
    order by n, rank`)
  const first = await scan()
  expect(first).toMatchObject({ isFull: true })
  expect(first.found).toHaveLength(count)
  const round = queue.nextScan()
  expect(round.isFull).toBe(false)
  await round.next()
  await queue.promote()
  const { found } = await scan()
  const [scheduled = 0] = (await positions()).slice(2 * (count - 1))
  expect(found.at(-1)).toMatchObject({ endpointId: `ep_0${count}`, from: scheduled })
  await clear()
})

test('an endpoint that has become ordered is scanned from the beginning', async () => {
  const endpointId = await claimed(2)
  await emit(1)
  await ws.ok('/v2/workspace/advancedwebhook/endpoints/update', { endpointId, ordered: true })
  expect(await scan()).toMatchObject({ isFull: false, found: [{ paced: true, from: 0 }] })
  await clear()
})

test('a worker does not miss a resent delivery from before its last claim', async () => {
  const { url, next } = await testReceiver()
  await ws.createEndpoint({ url })
  const services = service.app.services
  const db = slowFullScans(service.database.work)
  const source = webhookDeliveries({ reads: service.database, db, services })
  const worker = createWorker(service.database, [source], services.log)
  await worker.start()
  await emit(2)
  await next(2)
  await expect.poll(async () => (await ws.ok(`${DELIVERIES}/list`, { status: 'succeeded' })).data).toHaveLength(2)
  const { data } = await ws.ok(`${DELIVERIES}/list`, {})
  await ws.ok(`${DELIVERIES}/resend`, { deliveryId: data[1]?.id })
  await next(3)
  await worker.stop()
})

test.each([
  { ready: 2, what: 'looks no further', claimed: 0 },
  // An endpoint without a success may have four sends in flight.
  { ready: 5, what: 'asks for another turn', claimed: 4 },
])('a turn that finds $ready deliveries $what', async ({ ready, claimed: expected }) => {
  // Other tests leave deliveries in the database they share, and a turn looks for those too.
  const own = await startAlone()
  const { database, app } = own
  const { url, next } = await testReceiver()
  const alone = await newWebhookWorkspace(own)
  await alone.createEndpoint({ url })
  await alone.emit('comment.add', Array(ready).fill({}))
  let scans = 0
  const db: Db = {
    query: async (statement) => {
      if (statement.text.includes('page as')) scans++
      return database.work.query(statement)
    },
  }
  const source = webhookDeliveries({ reads: database, db, services: app.services })
  expect(await source.work(() => {})).toBe(expected)
  expect(scans).toBe(1)
  await next(Math.min(ready, 4))
  while (await source.settle?.());
})

test('a worker reports ended sends without waiting for one that hangs', async () => {
  const { open, opened } = gate()
  const { url, next } = await testReceiver(async ({ url: path }) => {
    if (path === '/hangs') await opened
    return { status: 200 }
  })
  await ws.createEndpoint({ url: `${url}/hangs` })
  await ws.createEndpoint({ url: `${url}/fine` })
  await emit(1)
  const { services } = service.app
  const source = webhookDeliveries({ reads: service.database, db: service.database.work, services })
  await source.work(() => {})
  await next(2)
  const settled = () =>
    service.database.query(sql`select from webhook_settled where api_key = ${ws.apiKey} and status = 'succeeded'`)
  await expect.poll(settled).toHaveLength(1)
  // Until the source knows that it ended: then only the hanging send is in flight.
  await delay(100)
  expect(await source.settle?.()).toBe(1)
  open()
  expect(await source.settle?.()).toBe(1)
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'rows sent while an older transaction is open are not read again',
  async () => {
    const [begun, ended] = [gate(), gate()]
    const old = service.database.transaction(async (db) => {
      await db.query(sql`select pg_current_xact_id()`)
      begun.open()
      await ended.opened
    })
    await begun.opened
    try {
      const endpointId = await claimed(1_000)
      await clear()
      await emit(1)
      const [from = 0] = await positions()
      const blocks = (head: number) =>
        blocksRead(service.database, (db) =>
          findReadyEndpoints(db, [{ apiKey: ws.apiKey, endpointId, from: head }], TIME.now),
        )
      expect(await blocks(from)).toBeLessThan(10)
      expect(await blocks(0)).toBeGreaterThan(40)
    } finally {
      ended.open()
      await old
      await clear()
    }
  },
)

test('ready deliveries are sent even if the promotion of retries fails', async () => {
  const { url, next } = await testReceiver()
  await ws.createEndpoint({ url })
  await emit(2)
  const db: Db = {
    query: async (statement) => {
      if (statement.text.includes('promoted as')) throw new Error('a failure of the test')
      return service.database.work.query(statement)
    },
  }
  const source = webhookDeliveries({ reads: service.database, db, services: service.app.services })
  await expect(source.work(() => {})).rejects.toThrow('a failure of the test')
  expect(await next(2)).toHaveLength(2)
  while (await source.settle?.());
})
