import { beforeEach, expect, test } from 'vitest'
import { bodyOf, testReceiver } from '../../../test/receiver.ts'
import { type Service, startService } from '../../../test/running-service.ts'
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

const list = async (data: object) => (await ws.ok(`${DELIVERIES}/list`, data)).data
const hourAround = () => ({ start: Date.now() - HOUR, end: Date.now() + HOUR })
const replay = async (data: object) => (await ws.ok(`${DELIVERIES}/replay`, data)).data

test('queues the events that a disabled endpoint missed, by its own subscriptions', async () => {
  const { url, received } = await testReceiver()
  const { id } = await ws.createEndpoint({ url, filterTypes: ['comment.add', 'comment.update'], disabled: true })
  await ws.emit('comment.add')
  await ws.emit('comment.delete')
  await ws.emit('comment.update')
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: false })
  expect(await replay({ endpointId: id, dateRange: hourAround() })).toEqual({ queued: 2 })
  await service.drainJobs()
  expect(
    received()
      .map((request) => bodyOf(request).event)
      .sort(),
  ).toEqual(['comment.add', 'comment.update'])
})

test('queues the events from before the endpoint was made', async () => {
  const { url, received } = await testReceiver()
  await ws.emit('comment.add')
  const { id } = await ws.createEndpoint({ url })
  await service.drainJobs()
  expect(received()).toEqual([])
  expect(await replay({ endpointId: id, dateRange: hourAround() })).toEqual({ queued: 1 })
  await service.drainJobs()
  expect(received().map((request) => bodyOf(request).event)).toEqual(['comment.add'])
})

test('by status: only deliveries with that status, under the same ids', async () => {
  let isDown = true
  const { url, received } = await testReceiver(() => ({ status: isDown ? 500 : 200 }))
  const { id } = await ws.createEndpoint({ url, retrySchedule: [], filterTypes: ['comment.add', 'comment.update'] })
  await ws.emit('comment.add')
  await service.drainJobs()
  isDown = false
  await ws.emit('comment.update')
  await service.drainJobs()
  expect(await replay({ endpointId: id, dateRange: hourAround(), status: 'failed' })).toEqual({ queued: 1 })
  await service.drainJobs()
  const ids = received().map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(3)
  expect(ids[2]).toBe(ids[0])
  expect(await list({ status: 'failed' })).toEqual([])
})

test('nothing outside of the range is queued', async () => {
  const { id } = await ws.createEndpoint({ url: 'https://example.com' })
  await ws.emit('comment.add')
  expect(await replay({ endpointId: id, dateRange: { end: Date.now() - HOUR } })).toEqual({ queued: 0 })
})

test('test events are not replayed, to their endpoint or to others, whatever their status', async () => {
  let isDown = false
  const { url, received } = await testReceiver(() => ({ status: isDown ? 500 : 200 }))
  const { id } = await ws.createEndpoint({ url, retrySchedule: [3_600] })
  await ws.ok(`${ENDPOINTS}/test`, { endpointId: id })
  const other = await ws.createEndpoint({ url })
  await service.drainJobs()
  isDown = true
  await ws.ok(`${ENDPOINTS}/test`, { endpointId: id })
  await service.drainJobs()
  expect((await list({})).map(({ status }: { status: string }) => status).sort()).toEqual(['pending', 'succeeded'])
  for (const endpointId of [id, other.id]) {
    expect(await replay({ endpointId, dateRange: hourAround() })).toEqual({ queued: 0 })
  }
  expect(await replay({ endpointId: id, dateRange: hourAround(), status: 'succeeded' })).toEqual({ queued: 0 })
  await service.drainJobs()
  expect(received()).toHaveLength(2)
})

test('queues at most 10,000 deliveries, existing or missed; beyond that nothing', async () => {
  const { id } = await ws.createEndpoint({ url: 'https://example.com' })
  const { id: late } = await ws.createEndpoint({ url: 'https://example.com', rateLimit: 1, disabled: true })
  await ws.emit('comment.add', Array(10_001).fill({}))
  await service.database.query(sql`
    with pending as (
      delete from webhook_pending where api_key = ${ws.apiKey} and endpoint_id = ${id} returning *
    )
    insert into webhook_settled (api_key, event_id, endpoint_id, event_type, seq, status, attempt)
    select api_key, event_id, endpoint_id, event_type, seq, 'failed', attempt from pending`)
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: late, disabled: false })
  const dateRange = hourAround()
  for (const data of [{ endpointId: id, status: 'failed' }, { endpointId: id }, { endpointId: late }]) {
    const { body } = await ws.call(`${DELIVERIES}/replay`, { ...data, dateRange })
    expect([body.error.status, body.error.message]).toEqual([
      'FAILED_PRECONDITION',
      expect.stringContaining('More than 10000 deliveries'),
    ])
  }
  expect(await list({ status: 'pending', pageSize: 1 })).toEqual([])
  await service.database.query(sql`
    delete from event
    where api_key = ${ws.apiKey} and id = (select max(id) from event where api_key = ${ws.apiKey})`)
  expect(await replay({ endpointId: late, dateRange })).toEqual({ queued: 10_000 })
  await ws.ok(`${ENDPOINTS}/delete`, { endpointId: late })
}, 120_000)

test('an unknown endpoint is NOT_FOUND, a disabled one FAILED_PRECONDITION', async () => {
  const { id } = await ws.createEndpoint({ url: 'https://example.com', disabled: true })
  for (const [endpointId, status] of [
    ['ep_nobody', 'NOT_FOUND'],
    [id, 'FAILED_PRECONDITION'],
  ]) {
    const { body } = await ws.call(`${DELIVERIES}/replay`, { endpointId, dateRange: { start: 0 } })
    expect(body.error.status).toBe(status)
  }
})

test('a range with misspelt ends is refused and replays nothing', async () => {
  const { id: endpointId } = await ws.createEndpoint({ url: 'https://example.com', disabled: true })
  const { body } = await ws.call(`${DELIVERIES}/replay`, { endpointId, dateRange: { from: 1, to: 2 } })
  expect(body.error.status).toBe('INVALID_ARGUMENT')
  expect(body.error.details.issues).toEqual([{ path: 'dateRange', message: 'must have start or end' }])
})
