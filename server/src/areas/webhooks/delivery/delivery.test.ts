import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { beforeEach, describe, expect, test } from 'vitest'
import { bodyOf, type ReceivedRequest, testReceiver } from '../../../../test/receiver.ts'
import { newWorkspace, type Service, startService } from '../../../../test/running-service.ts'
import { emitEvents } from '../../../../test/webhook-events.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../../test/webhook-workspace.ts'
import { sql } from '../../../platform/db/db.ts'
import { cancelUnlessActive } from './delivery.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

const eventsOf = (requests: ReceivedRequest[]) => requests.map((request) => bodyOf(request).event)

const deliveries = () =>
  service.database.query<{ endpoint_id: string; status: string; attempt: number }>(
    sql`select endpoint_id, status, attempt from webhook_delivery where api_key = ${ws.apiKey} order by seq`,
  )

describe('an advanced delivery', () => {
  test('carries the event and a signature that standardwebhooks and svix verify', async () => {
    const { url, received } = await testReceiver()
    const { id } = await ws.createEndpoint({ url: `${url}/hook?a=1` })
    const { secret } = (await ws.ok(`${ENDPOINTS}/secret/get`, { endpointId: id })).data
    await ws.emit('comment.add', [{ advanced: { actionType: 'add', source: 'comment', data: { text: 'Ünï' } } }])
    await service.drainJobs()
    const [request, ...others] = received()
    expect(others).toEqual([])
    expect(request).toMatchObject({ method: 'POST', url: '/hook?a=1' })
    const headers = request?.headers as Record<string, string>
    expect(headers['content-type']).toBe('application/json')
    expect(bodyOf(request)).toEqual({
      event: 'comment.add',
      actionType: 'add',
      source: 'comment',
      data: { text: 'Ünï' },
      webhookId: headers['webhook-id'],
    })
    const body = request?.body.toString() ?? ''
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(bodyOf(request))
    expect(new SvixWebhook(secret).verify(body, headers)).toEqual(bodyOf(request))
    expect(() => new StandardWebhook(secret).verify(`${body} `, headers)).toThrow()
  })

  test('goes to every endpoint that subscribes, with the same id', async () => {
    const { url, received } = await testReceiver()
    for (const path of ['a', 'b']) await ws.createEndpoint({ url: `${url}/${path}` })
    await ws.emit()
    await service.drainJobs()
    expect(
      received()
        .map((request) => request.url)
        .sort(),
    ).toEqual(['/a', '/b'])
    expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('is not made of a transaction that rolls back', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({ url })
    const failing = { ...service, database: { ...service.database, transaction: service.database.transaction } }
    failing.database.transaction = (work) =>
      service.database.transaction(async (db) => {
        await work(db)
        throw new Error('changed my mind')
      })
    await expect(emitEvents(failing, ws, 'comment.add')).rejects.toThrow('changed my mind')
    await service.drainJobs()
    expect(received()).toEqual([])
  })

  test('is any 2xx; a redirect is a failure that is not followed', async () => {
    const { url, received } = await testReceiver(({ url: path }) =>
      path === '/moved' ? { status: 307, headers: { location: '/elsewhere' } } : { status: 299 },
    )
    await ws.createEndpoint({ url: `${url}/moved` })
    await ws.createEndpoint({ url: `${url}/fine` })
    await ws.emit()
    await service.drainJobs()
    expect(
      received()
        .map((request) => request.url)
        .sort(),
    ).toEqual(['/fine', '/moved'])
    expect((await deliveries()).map(({ status }) => status)).toEqual(['scheduled', 'succeeded'])
  })

  test('never reaches an address that outbound requests may not reach', async () => {
    const { id } = await ws.createEndpoint({ url: 'http://localhost.example/' })
    await service.database.query(
      sql`update webhook_endpoint set url = 'http://10.0.0.1/' where api_key = ${ws.apiKey} and id = ${id}`,
    )
    await ws.emit()
    await service.drainJobs()
    const [attempt] = await service.database.query(sql`select * from webhook_attempt where api_key = ${ws.apiKey}`)
    expect(attempt).toMatchObject({ http_status: null, number: 1, error: expect.stringContaining('may not be called') })
  })
})

describe('subscriptions', () => {
  test('filterTypes: only the listed types; none: all but the opt-in suggestion events', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({
      url: `${url}/listed`,
      filterTypes: ['comment.add', 'comment_annotation.suggestion_accept'],
    })
    await ws.createEndpoint({ url: `${url}/all` })
    for (const type of ['comment.add', 'comment.update', 'comment_annotation.suggestion_accept', 'huddle.join'])
      await ws.emit(type)
    await service.drainJobs()
    const to = (path: string) => eventsOf(received().filter((request) => request.url === path)).sort()
    expect(to('/listed')).toEqual(['comment.add', 'comment_annotation.suggestion_accept'])
    expect(to('/all')).toEqual(['comment.add', 'comment.update', 'huddle.join'])
  })

  test('channels: events of the listed organizations and documents only', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({ url: `${url}/org`, channels: ['org-1'] })
    await ws.createEndpoint({ url: `${url}/doc`, channels: ['doc-2', 'doc-9'] })
    await ws.emit('comment.add', [
      { organizationId: 'org-1', documentId: 'doc-1', advanced: { n: 1 } },
      { organizationId: 'org-2', documentId: 'doc-2', advanced: { n: 2 } },
      { organizationId: 'org-1', documentId: null, advanced: { n: 3 } },
    ])
    await service.drainJobs()
    const to = (path: string) =>
      received()
        .filter((request) => request.url === path)
        .map((request) => bodyOf(request).n)
        .sort()
    expect(to('/org')).toEqual([1, 3])
    expect(to('/doc')).toEqual([2])
  })

  test('channels: what the service says about its deliveries comes to whoever lists it', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({ url, channels: ['org-9'], filterTypes: ['comment.add', 'endpoint.disabled'] })
    await ws.emit('comment.add')
    await ws.emit('endpoint.disabled', [{ organizationId: '', documentId: null }])
    await service.drainJobs()
    expect(eventsOf(received())).toEqual(['endpoint.disabled'])
  })

  test('a disabled endpoint receives none; re-enabling resumes with what is new', async () => {
    const { url, received } = await testReceiver()
    const { id } = await ws.createEndpoint({ url, disabled: true })
    await ws.emit('comment.add')
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, disabled: false })
    await ws.emit('comment.update')
    await service.drainJobs()
    expect(eventsOf(received())).toEqual(['comment.update'])
  })

  test('disabling an endpoint or the service, and deleting, stop pending deliveries at once', async () => {
    const { url, received } = await testReceiver()
    const endpoint = { url, filterTypes: ['comment.add'] }
    const [one, two, three] = [
      await ws.createEndpoint(endpoint),
      await ws.createEndpoint(endpoint),
      await ws.createEndpoint(endpoint),
    ]
    await ws.emit()
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: one.id, disabled: true })
    await ws.ok(`${ENDPOINTS}/delete`, { endpointId: two.id })
    await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: false })
    await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
    await ws.ok(`${ENDPOINTS}/update`, { endpointId: one.id, disabled: false })
    await service.drainJobs()
    expect(received()).toEqual([])
    expect(await deliveries()).toEqual(
      [one, two, three].map(({ id }) => ({ endpoint_id: id, status: 'cancelled', attempt: 0 })),
    )
  })

  test('what a transaction queues that did not see the endpoint disabled or deleted is not sent', async () => {
    const { url, received } = await testReceiver()
    const [disabled, deleted] = [await ws.createEndpoint({ url }), await ws.createEndpoint({ url })]
    await ws.emit()
    await service.database.query(
      sql`update webhook_endpoint set disabled = true where api_key = ${ws.apiKey} and id = ${disabled.id}`,
    )
    await service.database.query(sql`delete from webhook_endpoint where api_key = ${ws.apiKey} and id = ${deleted.id}`)
    await service.drainJobs()
    expect(received()).toEqual([])
    expect((await deliveries()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })

  test('an event of another API key goes nowhere', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({ url })
    await emitEvents(service, await newWorkspace(service), 'comment.add')
    await service.drainJobs()
    expect(received()).toEqual([])
  })
})

describe('a worker', () => {
  test('records every attempt with time, status, duration and the first 4 KiB of the answer', async () => {
    const { url } = await testReceiver(() => ({ status: 200, body: `${'x'.repeat(5000)}` }))
    await ws.createEndpoint({ url })
    const before = Date.now()
    await ws.emit()
    await service.drainJobs()
    const [attempt] = await service.database.query<{ response: string; sent_at: number; duration_ms: number }>(
      sql`select * from webhook_attempt where api_key = ${ws.apiKey}`,
    )
    expect(attempt).toMatchObject({ number: 1, http_status: 200, error: null, url, response: 'x'.repeat(4096) })
    expect(attempt?.sent_at).toBeGreaterThanOrEqual(before)
    expect(attempt?.duration_ms).toBeLessThan(10_000)
  })

  test('that dies leaves what it had claimed to the others when the lease ends', async () => {
    const { url, received } = await testReceiver()
    await ws.createEndpoint({ url })
    await ws.emit()
    await service.database.query(sql`
      update webhook_pending
      set attempt = 1, tries = 1, claimed_until = ${Date.now() + 30_000}::bigint
      where api_key = ${ws.apiKey}`)
    await service.drainJobs()
    expect(received()).toEqual([])
    service.clock.ahead = 31_000
    await service.drainJobs()
    expect(received()).toHaveLength(1)
    expect(await deliveries()).toEqual([expect.objectContaining({ status: 'succeeded', attempt: 2 })])
  })

  test('cancels nothing of an endpoint that is active again by then', async () => {
    const { id } = await ws.createEndpoint({ url: 'https://example.com' })
    await ws.emit()
    const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
    await cancelUnlessActive(service.database, tenant, id)
    expect(await deliveries()).toEqual([expect.objectContaining({ status: 'ready' })])
    await service.database.query(
      sql`update webhook_endpoint set disabled = true where api_key = ${ws.apiKey} and id = ${id}`,
    )
    await cancelUnlessActive(service.database, tenant, id)
    expect(await deliveries()).toEqual([expect.objectContaining({ status: 'cancelled' })])
  })

  test('sends many events to many endpoints, each exactly once', async () => {
    const { url, received } = await testReceiver()
    for (let i = 0; i < 60; i++) await ws.createEndpoint({ url: `${url}/${i}` })
    await ws.emit(
      'comment.add',
      Array.from({ length: 10 }, (_, n) => ({ advanced: { n } })),
    )
    await service.drainJobs()
    const keys = received().map((request) => `${request.url} ${bodyOf(request).n}`)
    expect(keys).toHaveLength(600)
    expect(new Set(keys).size).toBe(600)
    expect(new Set((await deliveries()).map(({ status }) => status))).toEqual(new Set(['succeeded']))
  })

  test('does not wait for an endpoint that hangs', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { url, next } = await testReceiver(async ({ url: path }) => {
      if (path === '/hangs') await released
      return { status: 200 }
    })
    await ws.createEndpoint({ url: `${url}/hangs` })
    await ws.createEndpoint({ url: `${url}/fine` })
    await ws.emit(
      'comment.add',
      Array.from({ length: 150 }, () => ({})),
    )
    const drained = service.drainJobs()
    // All of the one, and of the other as many as one endpoint may hold.
    const arrived = await next(150 + 4)
    expect(arrived.filter((request) => request.url === '/fine')).toHaveLength(150)
    release()
    await drained
    expect(new Set((await deliveries()).map(({ status }) => status))).toEqual(new Set(['succeeded']))
  })
})
