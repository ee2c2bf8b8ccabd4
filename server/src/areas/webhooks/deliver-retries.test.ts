import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { bodyOf, testReceiver } from '../../../test/receiver.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'
import { sql } from '../../platform/db/db.ts'
import { webhookDeliveries } from './deliver.worker.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

const endpoint = async (id: string) => (await ws.ok(`${ENDPOINTS}/get`)).data.endpoints.find((each) => each.id === id)

/** Moves the clock forward by a wait, jitter included, and runs the workers. */
async function later(ms: number) {
  service.clock.ahead += Math.ceil(ms * 1.1) + 1_000
  await service.drainJobs()
}

const statuses = async () => {
  const rows = await service.database.query<{ status: string }>(
    sql`select status from webhook_delivery where api_key = ${ws.apiKey} order by seq`,
  )
  return rows.map(({ status }) => status)
}

describe('retries', () => {
  test('follow the schedule with the same id and body, and stop at the first success', async () => {
    const { url, received } = await testReceiver((_, index) => ({ status: index < 3 ? 503 : 200 }))
    await ws.createEndpoint({ url })
    await ws.emit()
    await service.drainJobs()
    expect(received()).toHaveLength(1)
    service.clock.stoppedAt = Date.now()
    onTestFinished(() => {
      delete service.clock.stoppedAt
    })
    service.clock.ahead += 4_000
    await service.drainJobs()
    expect(received()).toHaveLength(1)
    for (const [wait, count] of [
      [1_500, 2],
      [4 * MINUTE, 2],
      [1 * MINUTE, 3],
      [30 * MINUTE, 4],
      [48 * HOUR, 4],
    ] as const) {
      await later(wait)
      expect(received()).toHaveLength(count)
    }
    const [first, ...retries] = received()
    for (const retry of retries) {
      expect(retry.headers['webhook-id']).toBe(first?.headers['webhook-id'])
      expect(retry.body).toEqual(first?.body)
      expect(Number(retry.headers['webhook-timestamp'])).toBeGreaterThan(Number(first?.headers['webhook-timestamp']))
    }
  })

  test('run when they are due, not at the next poll', async () => {
    const { url } = await testReceiver(() => ({ status: 503 }))
    await ws.createEndpoint({ url, retrySchedule: [3_600] })
    await ws.emit()
    const { database, app } = service
    const source = webhookDeliveries({ reads: database, db: database.work, services: app.services })
    const asked: number[] = []
    const ask = (inMs: number) => void (inMs > 0 && asked.push(inMs))
    await source.work(ask)
    while ((await source.settle?.()) ?? 0);
    const atOnce = asked.splice(0)
    service.clock.ahead += HOUR / 2
    await source.work(ask)
    // Endpoints of other tests may be due earlier.
    expect(atOnce).toContainEqual(expect.toSatisfy((ms: number) => ms > HOUR - MINUTE && ms <= 1.1 * HOUR))
    expect(Math.min(...asked)).toBeLessThanOrEqual(0.6 * HOUR)
  })

  test('end after the seventh with message.attempt.exhausted, which causes no event about itself', async () => {
    const failing = await testReceiver(() => ({ status: 500, body: 'no' }))
    const watching = await testReceiver()
    const { id } = await ws.createEndpoint({ url: failing.url })
    await ws.createEndpoint({ url: watching.url, filterTypes: ['message.attempt.exhausted'] })
    await ws.emit()
    await service.drainJobs()
    for (const wait of [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]) {
      expect(watching.received()).toEqual([])
      await later(wait)
    }
    const [message] = failing.received()
    const tried = () => failing.received().filter((request) => bodyOf(request).event === 'comment.add')
    expect(tried()).toHaveLength(8)
    expect(bodyOf(watching.received()[0])).toMatchObject({
      event: 'message.attempt.exhausted',
      data: {
        endpointId: id,
        messageId: message?.headers['webhook-id'],
        eventType: 'comment.add',
        attempts: 8,
        lastStatus: 500,
      },
    })
    for (let i = 0; i < 8; i++) await later(10 * HOUR)
    expect(tried()).toHaveLength(8)
    expect(watching.received()).toHaveLength(1)
  })

  test('honour Retry-After', async () => {
    const { url, received } = await testReceiver((_, index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '600' } } : { status: 200 },
    )
    await ws.createEndpoint({ url })
    await ws.emit()
    await service.drainJobs()
    service.clock.ahead = 590_000
    await service.drainJobs()
    expect(received()).toHaveLength(1)
    service.clock.ahead = 605_000
    await service.drainJobs()
    expect(received()).toHaveLength(2)
  })

  test('follow the schedule of the endpoint where it has one; an empty one means none', async () => {
    const { url, received } = await testReceiver(() => ({ status: 500 }))
    await ws.createEndpoint({ url: `${url}/two`, retrySchedule: [60, 60] })
    await ws.createEndpoint({ url: `${url}/none`, retrySchedule: [] })
    await ws.emit()
    await service.drainJobs()
    for (let i = 0; i < 4; i++) await later(MINUTE)
    const to = (path: string) =>
      received().filter((request) => request.url === path && bodyOf(request).event === 'comment.add')
    expect([to('/two').length, to('/none').length]).toEqual([3, 1])
  })

  test('come after connections that break, too', async () => {
    const { url, received } = await testReceiver((_, index) => (index === 0 ? 'reset' : { status: 204 }))
    await ws.createEndpoint({ url })
    await ws.emit()
    await service.drainJobs()
    await later(5_000)
    expect(received()).toHaveLength(2)
    expect(await statuses()).toEqual(['succeeded'])
  })

  test('apply to basic webhooks as well', async () => {
    const { url, received } = await testReceiver((_, index) => ({ status: index === 0 ? 410 : 200 }))
    const webhookServiceConfig = { rawNotificationUrl: url, authToken: 't' }
    await ws.ok('/v2/workspace/webhookconfig/update', { useWebhookService: true, webhookServiceConfig })
    await ws.emit()
    await service.drainJobs()
    await later(5_000)
    expect(received().map(({ headers }) => headers.authorization)).toEqual(['Basic t', 'Basic t'])
  })
})

describe('an endpoint is disabled', () => {
  test('by 410: deliveries stop, and endpoint.disabled is sent', async () => {
    const gone = await testReceiver(() => ({ status: 410 }))
    const watching = await testReceiver()
    const { id } = await ws.createEndpoint({ url: gone.url })
    await ws.createEndpoint({ url: watching.url, filterTypes: ['endpoint.disabled'] })
    await ws.emit()
    await service.drainJobs()
    expect((await endpoint(id))?.disabled).toBe(true)
    expect(bodyOf(watching.received()[0])).toMatchObject({
      event: 'endpoint.disabled',
      data: { endpointId: id, reason: 'gone', url: gone.url },
    })
    await ws.emit()
    await later(10 * HOUR)
    expect(gone.received()).toHaveLength(1)
    expect(watching.received()).toHaveLength(1)
  })

  test('by five days without a success, not by four, and not when one came between', async () => {
    const failing = await testReceiver(() => ({ status: 500 }))
    const flaky = await testReceiver(({ body }) => ({ status: body.includes('comment.update') ? 200 : 500 }))
    const watching = await testReceiver()
    const { id } = await ws.createEndpoint({ url: failing.url })
    const other = await ws.createEndpoint({ url: flaky.url })
    await ws.createEndpoint({ url: watching.url, filterTypes: ['endpoint.disabled'] })
    await ws.emit()
    await service.drainJobs()
    for (const day of [1, 2, 3, 4]) {
      service.clock.ahead = day * 24 * HOUR
      await ws.emit()
      await service.drainJobs()
    }
    await ws.emit('comment.update')
    await service.drainJobs()
    expect([(await endpoint(id))?.disabled, (await endpoint(other.id))?.disabled]).toEqual([false, false])
    service.clock.ahead = 5 * 24 * HOUR + MINUTE
    await ws.emit()
    await service.drainJobs()
    expect([(await endpoint(id))?.disabled, (await endpoint(other.id))?.disabled]).toEqual([true, false])
    expect(watching.received().map((request) => bodyOf(request).data)).toEqual([
      expect.objectContaining({ endpointId: id, reason: 'failing', failingSince: expect.any(Number) }),
    ])
    expect(await statuses()).not.toContain('ready')
  })

  test('not by two failures with five quiet days between', async () => {
    const { url, received } = await testReceiver(() => ({ status: 500 }))
    const { id } = await ws.createEndpoint({ url, retrySchedule: [], filterTypes: ['comment.add'] })
    await ws.emit()
    await service.drainJobs()
    service.clock.ahead = 6 * 24 * HOUR
    await ws.emit()
    await service.drainJobs()
    expect([(await endpoint(id))?.disabled, received().length]).toEqual([false, 2])
  })

  test('not by responses of its previous URL', async () => {
    const answer = gate()
    const old = await testReceiver(async () => {
      await answer.opened
      return { status: 410 }
    })
    const present = await testReceiver()
    const { id } = await ws.createEndpoint({ url: old.url, ordered: true, retrySchedule: [60] })
    await ws.emit()
    const drained = service.drainJobs()
    await old.next()
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, url: present.url })
    answer.open()
    await drained
    expect((await endpoint(id))?.disabled).toBe(false)
    await later(MINUTE)
    await later(MINUTE)
    expect(present.received()).toHaveLength(1)
  })

  test('and with another URL its five days restart', async () => {
    const [old, present] = [await testReceiver(() => ({ status: 500 })), await testReceiver(() => ({ status: 500 }))]
    const { id } = await ws.createEndpoint({ url: old.url })
    for (const day of [0, 1, 2, 3, 4]) {
      service.clock.ahead = day * 24 * HOUR
      await ws.emit()
      await service.drainJobs()
    }
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, url: present.url })
    service.clock.ahead = 5 * 24 * HOUR + MINUTE
    await ws.emit()
    await service.drainJobs()
    expect(present.received()).not.toEqual([])
    expect((await endpoint(id))?.disabled).toBe(false)
  })

  test('and enabled again it is not disabled by the next failure', async () => {
    const { url } = await testReceiver((_, index) => ({ status: index === 0 ? 410 : 500 }))
    const { id } = await ws.createEndpoint({ url })
    await ws.emit()
    await service.drainJobs()
    service.clock.ahead = 6 * 24 * HOUR
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: false })
    await ws.emit()
    await service.drainJobs()
    expect((await endpoint(id))?.disabled).toBe(false)
  })
})
