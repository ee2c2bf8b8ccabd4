import { beforeEach, describe, expect, test } from 'vitest'
import { bodyOf, type Respond, testReceiver } from '../../../test/receiver.ts'
import { newWorkspace, type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'
import { sql } from '../../platform/db/db.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const DELIVERIES = '/v2/workspace/advancedwebhook/deliveries'
const HOUR = 3_600_000

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

const list = async (data: object = {}) => (await ws.ok(`${DELIVERIES}/list`, data)).data
const hourAround = () => ({ start: Date.now() - HOUR, end: Date.now() + HOUR })

async function delivered(respond?: Respond) {
  const server = await testReceiver(respond)
  const { id } = await ws.createEndpoint({ url: server.url })
  await ws.emit()
  await service.drainJobs()
  const [delivery] = await list()
  return { server, endpointId: id, delivery }
}

describe('list', () => {
  test('shows a delivery with its last attempt', async () => {
    const { server, endpointId, delivery } = await delivered(() => ({ status: 201, body: 'thanks' }))
    const [request] = server.received()
    const messageId = request?.headers['webhook-id']
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_[0-9a-z]{26}_[0-9a-z]{26}$/),
      messageId,
      endpointId,
      eventType: 'comment.add',
      status: 'succeeded',
      attempts: 1,
      createdAt: expect.any(Number),
      nextAttemptAt: null,
      lastAttempt: {
        number: 1,
        sentAt: expect.any(Number),
        durationMs: expect.any(Number),
        url: server.url,
        status: 201,
        response: 'thanks',
        error: null,
      },
    })
  })

  test('a pending delivery shows when its next attempt is due', async () => {
    const { delivery } = await delivered(() => ({ status: 500 }))
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastAttempt: { status: 500 } })
    expect(Number(delivery?.nextAttemptAt) - Number(delivery?.lastAttempt?.sentAt)).toBeGreaterThanOrEqual(5_000)
  })

  test('createdAt is the time of the event, also for a replayed delivery, and dateRange finds it', async () => {
    const { url } = await testReceiver()
    const { id: endpointId } = await ws.createEndpoint({ url, disabled: true })
    await ws.emit()
    const committed = Date.now()
    await ws.ok(`${ENDPOINTS}/update`, { endpointId, disabled: false })
    await ws.ok(`${DELIVERIES}/replay`, { endpointId, dateRange: hourAround() })
    await service.drainJobs()
    const [delivery] = await list()
    const time = Number(delivery?.createdAt)
    expect(time).toBeLessThanOrEqual(committed)
    expect(committed - time).toBeLessThan(HOUR)
    expect(await list({ dateRange: { start: time, end: time } })).toEqual([delivery])
    expect(await list({ dateRange: { start: time + 1 } })).toEqual([])
  })

  test('filters by endpoint, status, event type and time; pages lose and repeat nothing', async () => {
    const { url } = await testReceiver(({ url: path }) => ({ status: path === '/bad' ? 500 : 200 }))
    const good = await ws.createEndpoint({ url: `${url}/good`, filterTypes: ['comment.add', 'comment.update'] })
    const bad = await ws.createEndpoint({ url: `${url}/bad`, retrySchedule: [] })
    await ws.emit('comment.add', [{}, {}, {}])
    await ws.emit('comment.update')
    await service.drainJobs()
    const ofType = await list({ eventType: 'comment.update' })
    expect(ofType).toHaveLength(2)
    expect((await list({ endpointId: good.id })).map(({ status }) => status)).toEqual(Array(4).fill('succeeded'))
    const failed = await list({ status: 'failed', eventType: 'comment.add' })
    expect(failed.map(({ endpointId }) => endpointId)).toEqual(Array(3).fill(bad.id))
    expect(await list({ dateRange: { end: Date.now() - HOUR } })).toEqual([])
    expect(await list({ dateRange: { start: new Date(Date.now() - HOUR).toISOString() } })).toEqual(await list())
    const all = await list()
    const paged = []
    let pageToken: string | null | undefined
    do {
      const result = await ws.ok(`${DELIVERIES}/list`, { pageSize: 3, ...(pageToken && { pageToken }) })
      expect(result.data.length).toBeLessThanOrEqual(3)
      paged.push(...result.data)
      pageToken = result.pageToken
    } while (pageToken)
    expect(paged).toEqual(all)
  })

  test('a token of other filters, and a range that ends before it starts, are INVALID_ARGUMENT', async () => {
    const { url } = await testReceiver()
    await ws.createEndpoint({ url })
    await ws.emit('comment.add', [{}, {}])
    const { pageToken } = await ws.ok(`${DELIVERIES}/list`, { pageSize: 1 })
    const wrong = await ws.call(`${DELIVERIES}/list`, { pageSize: 1, status: 'failed', pageToken })
    expect(wrong.body.error.details.issues[0].path).toBe('pageToken')
    const range = await ws.call(`${DELIVERIES}/list`, { dateRange: { start: 2, end: 1 } })
    expect(range.body.error.details.issues[0].path).toBe('dateRange.start')
    await service.drainJobs()
  })
})

describe('get', () => {
  test('returns the payload and every attempt', async () => {
    const { server, delivery } = await delivered((_, index) => ({ status: index === 0 ? 503 : 200, body: `${index}` }))
    service.clock.ahead = 7_000
    await service.drainJobs()
    const { data } = await ws.ok(`${DELIVERIES}/get`, { deliveryId: delivery?.id })
    expect(data.request).toEqual({ url: server.url, payload: bodyOf(server.received()[0]) })
    expect(data.attemptLog).toMatchObject([
      { number: 1, status: 503, response: '0' },
      { number: 2, status: 200, response: '1' },
    ])
    expect(data.lastAttempt).toEqual(data.attemptLog[1])
  })

  test('of very many attempts it returns the latest', async () => {
    const { delivery } = await delivered()
    const { id, messageId, endpointId } = delivery as { id: string; messageId: string; endpointId: string }
    await service.database.query(sql`
      insert into webhook_earlier_attempt (api_key, event_id, endpoint_id, number, sent_at, duration_ms, url, http_status)
      select ${ws.apiKey}, ${messageId}, ${endpointId}, n, n, 1, 'https://app.example.com', 500
      from generate_series(2, 300) n`)
    const { attemptLog } = (await ws.ok(`${DELIVERIES}/get`, { deliveryId: id })).data
    expect(attemptLog.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, index) => 201 + index),
    )
  })

  test('an unknown id, and one of another API key, are NOT_FOUND', async () => {
    const { delivery } = await delivered()
    const other = await newWorkspace(service)
    for (const path of ['get', 'resend']) {
      for (const deliveryId of ['nonsense', `dlv_${'0'.repeat(26)}_raw`]) {
        const { body } = await ws.call(`${DELIVERIES}/${path}`, { deliveryId })
        expect(body.error.status).toBe('NOT_FOUND')
      }
      const { body } = await other.call(`${DELIVERIES}/${path}`, { deliveryId: delivery?.id })
      expect(body.error.status).toBe('NOT_FOUND')
    }
  })
})

describe('resend', () => {
  test('sends again under the same id, even after a success', async () => {
    const { server, delivery } = await delivered()
    const { data } = await ws.ok(`${DELIVERIES}/resend`, { deliveryId: delivery?.id })
    expect(data).toMatchObject({ id: delivery?.id, status: 'pending' })
    await service.drainJobs()
    const [first, second] = server.received()
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(await list()).toMatchObject([{ id: delivery?.id, status: 'succeeded', attempts: 2 }])
  })

  test('restarts the retry schedule', async () => {
    const { server, delivery } = await delivered(() => ({ status: 500 }))
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: delivery?.endpointId, retrySchedule: [60] })
    service.clock.ahead = 6_000
    await service.drainJobs()
    expect(await list({ eventType: 'comment.add' })).toMatchObject([{ status: 'failed', attempts: 2 }])
    await ws.ok(`${DELIVERIES}/resend`, { deliveryId: delivery?.id })
    await service.drainJobs()
    expect(await list({ eventType: 'comment.add' })).toMatchObject([{ status: 'pending', attempts: 3 }])
    expect(server.received().filter((request) => bodyOf(request).event === 'comment.add')).toHaveLength(3)
  })

  test('unblocks an ordered endpoint that waits for the delivery', async () => {
    const { url, received } = await testReceiver((_, index) => ({ status: index === 0 ? 500 : 200 }))
    await ws.createEndpoint({ url, ordered: true, retrySchedule: [3600] })
    await ws.emit('comment.add', [{ advanced: { n: 0 } }, { advanced: { n: 1 } }])
    await service.drainJobs()
    const waiting = (await list()).find(({ attempts }) => attempts === 1)
    await ws.ok(`${DELIVERIES}/resend`, { deliveryId: waiting?.id })
    await service.drainJobs()
    expect(received().map((request) => bodyOf(request).n)).toEqual([0, 0, 1])
  })

  test('to a disabled endpoint is FAILED_PRECONDITION, to a deleted one NOT_FOUND', async () => {
    const { delivery, endpointId } = await delivered()
    const resend = async () => (await ws.call(`${DELIVERIES}/resend`, { deliveryId: delivery?.id })).body.error.status
    await ws.ok(`${ENDPOINTS}/update`, { endpointId, disabled: true })
    expect(await resend()).toBe('FAILED_PRECONDITION')
    await ws.ok(`${ENDPOINTS}/delete`, { endpointId })
    expect(await resend()).toBe('NOT_FOUND')
  })
})
