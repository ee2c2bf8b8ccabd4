import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { type ReceivedRequest, testReceiver } from '../../../test/receiver.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'
import type { Services } from '../../platform/context.ts'
import { DatabaseClock } from '../../platform/database-clock.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { createWorker } from '../../platform/work/worker.ts'
import { webhookDeliveries } from './deliver.worker.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

const emit = (count: number, first = 0) =>
  ws.emit(
    'comment.add',
    Array.from({ length: count }, (_, n) => ({ advanced: { n: first + n } })),
  )
const numbersOf = (requests: ReceivedRequest[]) => requests.map(({ body }) => JSON.parse(body.toString()).n)

/** Starts workers as several processes would. */
async function startWorkers(count: number, writes: Db = service.database.work) {
  const workers = Array.from({ length: count }, () => anotherWorker(writes))
  await Promise.all(workers.map((worker) => worker.start()))
  return () => Promise.all(workers.map((worker) => worker.stop()))
}

test('rateLimit holds across processes: no sliding second of send times exceeds it, and nothing is dropped', async () => {
  const { url, next } = await testReceiver()
  await ws.createEndpoint({ url, rateLimit: 20 })
  await emit(30)
  const stop = await startWorkers(3)
  const arrived = await next(30)
  await stop()
  expect(new Set(numbersOf(arrived)).size).toBe(30)
  const times = await sendTimes()
  expect(times).toHaveLength(30)
  expect(mostPerSecond(times)).toBeLessThanOrEqual(20)
})

test('rateLimit holds between processes whose own clocks are seconds apart', async () => {
  const { url, next } = await testReceiver()
  await ws.createEndpoint({ url, rateLimit: 2 })
  const sends: number[] = []
  const behind = await skewedServices(-4_000, sends)
  const ahead = await skewedServices(3_000, sends)
  for (const [n, services] of [behind, ahead, ahead, behind, behind, ahead].entries()) {
    const source = webhookDeliveries({ reads: service.database, db: service.database.work, services })
    const worker = createWorker(service.database, [source], services.log)
    await emit(1, n)
    await worker.start()
    await next(n + 1)
    await worker.stop()
  }
  expect(sends).toHaveLength(6)
  expect(mostPerSecond(sends)).toBeLessThanOrEqual(2)
})

/** The services of a process whose clock is wrong by `skew` ms. Each send is noted by the clock of the test. */
async function skewedServices(skew: number, sends: number[]): Promise<Services> {
  const { services } = service.app
  const own = () => Date.now() + skew
  const clock = new DatabaseClock({ db: service.database.checks, log: services.log, own })
  await clock.measure()
  const outbound: Outbound = {
    ...services.outbound,
    request: (request) => {
      sends.push(performance.now())
      return services.outbound.request(request)
    },
  }
  return { ...services, clock, outbound }
}

function anotherWorker(db: Db = service.database.work, reads: Db = service.database) {
  const { services } = service.app
  const source = webhookDeliveries({ reads, db, services })
  return createWorker(service.database, [source], services.log)
}

async function sendTimes(): Promise<number[]> {
  const attempts = await service.database.query<{ sent_at: number }>(
    sql`select sent_at from webhook_attempt where api_key = ${ws.apiKey} order by sent_at`,
  )
  return attempts.map(({ sent_at }) => sent_at)
}

const mostPerSecond = (times: number[]) =>
  Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 1000).length))

/** The database with each response delayed, as under load. */
function slowDatabase(ms: number): Db {
  const writes = service.database.work
  return {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const rows = await writes.query<Row>(statement)
      await delay(ms)
      return rows
    },
  }
}

test('a rateLimit set between the scan and the claim applies at once', async () => {
  const { url, next } = await testReceiver()
  const { id } = await ws.createEndpoint({ url })
  await emit(2)
  let looks = 0
  const stop = await startWorkers(1, {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const rows = await service.database.work.query<Row>(statement)
      if (statement.text.includes('recursive page') && looks++ === 0) {
        expect(rows).toHaveLength(1)
        await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, rateLimit: 1 })
      }
      return rows
    },
  })
  await next(2)
  await stop()
  const times = await sendTimes()
  expect(times).toHaveLength(2)
  expect(mostPerSecond(times)).toBe(1)
})

test('however slow claims are, rateLimit is neither exceeded nor left unused', async () => {
  const { url, next } = await testReceiver()
  await ws.createEndpoint({ url, rateLimit: 20 })
  await emit(40)
  const stop = await startWorkers(2, slowDatabase(400))
  // This ends in time only if most slots are used. With one send per claim it would take twice as long.
  await next(40)
  await stop()
  const times = await sendTimes()
  expect(times).toHaveLength(40)
  expect(mostPerSecond(times)).toBeLessThanOrEqual(20)
})

test('a delivery that waits for its slot is not sent if its endpoint is disabled meanwhile', async () => {
  const { url, received } = await testReceiver()
  const { id } = await ws.createEndpoint({ url, rateLimit: 1, ordered: true })
  await emit(1)
  const { clock } = service.app.services
  const writes = service.database.work
  const far: Db = {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const rows = await writes.query<Row>(statement)
      return rows.map((row) => ('slot' in row ? { ...row, slot: clock.now() + 4_000 } : row))
    },
  }
  let isDisabled = false
  const reads: Db = {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      if (statement.text.includes('claimed_until = ') && !isDisabled) {
        isDisabled = true
        await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: true })
      }
      return service.database.query<Row>(statement)
    },
  }
  await anotherWorker(far, reads).drain()
  expect([isDisabled, received().length]).toEqual([true, 0])
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: false })
  await emit(1, 5)
  service.clock.ahead += 10_000
  await service.drainJobs()
  expect(numbersOf(received())).toEqual([5])
})

test('a throttled endpoint delays no other', async () => {
  const { url, next, received } = await testReceiver()
  await ws.createEndpoint({ url: `${url}/throttled`, rateLimit: 1 })
  await ws.createEndpoint({ url: `${url}/free` })
  await emit(200)
  const stop = await startWorkers(1)
  await next(201)
  await stop()
  const free = received().filter((request) => request.url === '/free')
  expect(free).toHaveLength(200)
})

test('an ordered endpoint gets events one at a time, in order; a failing one blocks those behind it', async () => {
  let failures = 2
  const { url, received } = await testReceiver(({ body }) => {
    const fails = JSON.parse(body.toString()).n === 3 && failures-- > 0
    return { status: fails ? 500 : 200 }
  })
  await ws.createEndpoint({ url, ordered: true })
  await emit(6)
  await emit(4, 6)
  await service.drainJobs()
  expect(numbersOf(received())).toEqual([0, 1, 2, 3])
  for (const wait of [6_000, 6 * 60_000]) {
    service.clock.ahead += wait
    await service.drainJobs()
  }
  expect(numbersOf(received())).toEqual([0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9])
})

test('an ordered endpoint that was disabled while blocked is not blocked when enabled again', async () => {
  const { url, received } = await testReceiver((_, index) => ({ status: index === 0 ? 500 : 200 }))
  const { id } = await ws.createEndpoint({ url, ordered: true })
  await emit(2)
  await service.drainJobs()
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: true })
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: false })
  await emit(1, 7)
  await service.drainJobs()
  expect(numbersOf(received())).toEqual([0, 7])
})

test('an ordered endpoint disabled and enabled during a send continues after it, one at a time', async () => {
  const answer = gate()
  const { url, received, next } = await testReceiver(async (_, index) => {
    if (index > 0) return { status: 200 }
    await answer.opened
    return { status: 500 }
  })
  const { id } = await ws.createEndpoint({ url, ordered: true, retrySchedule: [3600] })
  await emit(1)
  const drained = service.drainJobs()
  await next(1)
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: true })
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: false })
  await emit(1, 7)
  const other = anotherWorker()
  await other.drain()
  expect(numbersOf(received())).toEqual([0])
  answer.open()
  await drained
  await emit(1, 8)
  await service.drainJobs()
  expect(numbersOf(received())).toEqual([0, 7, 8])
})

test('three processes claim nothing twice', async () => {
  const { url, next, received } = await testReceiver()
  for (let i = 0; i < 5; i++) await ws.createEndpoint({ url: `${url}/${i}` })
  const stop = await startWorkers(3)
  for (let i = 0; i < 4; i++) await emit(10, i * 10)
  await next(200)
  await stop()
  await service.drainJobs()
  expect(received()).toHaveLength(200)
  expect(new Set(received().map((request) => `${request.url} ${numbersOf([request])}`)).size).toBe(200)
})

test('three processes keep the order of an ordered endpoint', async () => {
  const { url, next } = await testReceiver()
  await ws.createEndpoint({ url, ordered: true })
  await emit(30)
  const stop = await startWorkers(3)
  const arrived = await next(30)
  await stop()
  expect(numbersOf(arrived)).toEqual(Array.from({ length: 30 }, (_, n) => n))
})
