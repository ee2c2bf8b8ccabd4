import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { blocksRead } from '../../../../test/explained.ts'
import { gate } from '../../../../test/gate.ts'
import { testReceiver } from '../../../../test/receiver.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../../test/webhook-workspace.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { createWorker } from '../../../platform/work/worker.ts'
import { webhookDeliveries } from '../deliver.worker.ts'
import { findReadyEndpoints, PAGE, type ReadyEndpoint } from './ready-endpoints.ts'
import { SendQueue } from './send-queue.ts'

const DELIVERIES = '/v2/workspace/advancedwebhook/deliveries'
const MOMENT = { now: Date.now() + 60_000, expectedLatencyMs: 0 }

let service: Service
let ws: WebhookWorkspace
let queue: SendQueue
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
  queue = new SendQueue(slowAlongTheWhole(service.database.work), { now: () => MOMENT.now })
})

/** So that after a look along the whole the next is not due for a second or two. */
const slowAlongTheWhole = (db: Db): Db => ({
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

/** Those of this test that wait, as the next line has them. */
async function waiting() {
  const line = queue.nextScan()
  const found: ReadyEndpoint[] = []
  do found.push(...(await line.next()))
  while (!line.isAtStart)
  return { isFull: line.isFull, found: found.filter(({ apiKey }) => apiKey === ws.apiKey) }
}

/** Answers how many it claimed, and by which line they were found. */
async function claimAll() {
  const { isFull, found } = await waiting()
  const allowances = found.map((each) => ({ ...each, count: 1_000 }))
  return { isFull, claimed: (await queue.claim(allowances, false, MOMENT)).length }
}

/** An endpoint, and deliveries to it of which all have been claimed. */
async function claimed(count: number) {
  const { id } = await ws.createEndpoint({ url: 'https://receiver.example.com' })
  await emit(count)
  expect(await claimAll()).toEqual({ isFull: true, claimed: count })
  return id
}

const clear = () => service.database.query(sql`delete from webhook_pending where api_key = ${ws.apiKey}`)

async function places() {
  const rows = await service.database.query<{ seq: number }>(
    sql`select seq from webhook_pending where api_key = ${ws.apiKey} order by seq`,
  )
  return rows.map(({ seq }) => seq)
}

test('an endpoint is looked at from where it has been claimed to, and along all that waits when that is due', async () => {
  await claimed(3)
  await emit(1)
  const [, second, , fourth] = await places()
  // As if another process had given it up.
  await service.database.query(
    sql`update webhook_pending set claimed_until = 0 where api_key = ${ws.apiKey} and seq = ${second}`,
  )
  expect(await waiting()).toMatchObject({ isFull: false, found: [{ from: fourth }] })
  expect(queue.forceFullScan()).toBe(true)
  expect(await waiting()).toMatchObject({ isFull: true, found: [{ from: second }] })
  expect(queue.forceFullScan()).toBe(false)
  expect(await claimAll()).toEqual({ isFull: false, claimed: 2 })
  await clear()
})

test('what is to be tried again is looked for where it is', async () => {
  await claimed(3)
  const [first] = await places()
  await service.database.query(sql`
    update webhook_pending
    set claimed_until = 0, status = 'scheduled', due_at = 0
    where api_key = ${ws.apiKey} and seq = ${first}`)
  await queue.promote()
  expect(await claimAll()).toEqual({ isFull: false, claimed: 1 })
  await clear()
})

test('what is to be tried again is looked for where it is, also by a round that has begun', async () => {
  const count = PAGE + 10
  await service.database.query(sql`
    insert into webhook_pending (api_key, event_id, endpoint_id, event_type, status, due_at)
    select ${ws.apiKey}, status || n, 'ep_' || lpad(n::text, 4, '0'), 'comment.add', status, ${MOMENT.now}::bigint
    from generate_series(1, ${count}::integer) n
    cross join (values (1, 'scheduled'), (2, 'ready')) as s (rank, status)
    order by n, rank`)
  const first = await waiting()
  expect(first).toMatchObject({ isFull: true })
  expect(first.found).toHaveLength(count)
  const round = queue.nextScan()
  expect(round.isFull).toBe(false)
  await round.next()
  await queue.promote()
  const { found } = await waiting()
  const [scheduled = 0] = (await places()).slice(2 * (count - 1))
  expect(found.at(-1)).toMatchObject({ endpointId: `ep_0${count}`, from: scheduled })
  await clear()
})

test('the first of an endpoint that has become ordered is looked for from the beginning', async () => {
  const endpointId = await claimed(2)
  await emit(1)
  await ws.ok('/v2/workspace/advancedwebhook/endpoints/update', { endpointId, ordered: true })
  expect(await waiting()).toMatchObject({ isFull: false, found: [{ paced: true, from: 0 }] })
  await clear()
})

test('what is sent again from before what was claimed is not missed by a worker', async () => {
  const { url, next } = await testReceiver()
  await ws.createEndpoint({ url })
  const services = service.app.services
  const db = slowAlongTheWhole(service.database.work)
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

test('a worker tells what has ended without waiting for a send that hangs', async () => {
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
  // Until the source has heard of it: then nothing but the one that hangs is under way.
  await delay(100)
  expect(await source.settle?.()).toBe(1)
  open()
  expect(await source.settle?.()).toBe(1)
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'what has been sent while a transaction is open, which might still see it, is not looked at again',
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
      const [from = 0] = await places()
      const blocks = (head: number) =>
        blocksRead(service.database, (db) =>
          findReadyEndpoints(db, [{ apiKey: ws.apiKey, endpointId, from: head }], MOMENT.now),
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

test('what waits is sent although what is to be tried again cannot be looked for', async () => {
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
