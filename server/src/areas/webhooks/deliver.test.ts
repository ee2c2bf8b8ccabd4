import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { beforeEach, describe, expect, test } from 'vitest'
import { bodyOf, testReceiver } from '../../../test/receiver.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { emitEvents } from '../../../test/webhook-events.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'
import { sql } from '../../platform/db/db.ts'
import { cancelUnlessActive } from './delivery/delivery.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

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

  test('is not queued by a transaction that rolls back', async () => {
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
    expect(attempt).toMatchObject({
      http_status: null,
      number: 1,
      error: expect.stringContaining('no address that may be called'),
    })
  })
})

describe('pending deliveries', () => {
  test('stop at once when the endpoint or the service is disabled, or the endpoint deleted', async () => {
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

  test('are not sent if their transaction did not yet see the endpoint disabled or deleted', async () => {
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

  test('are not cancelled if the endpoint is active again', async () => {
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
})

describe('a worker', () => {
  test('records every attempt with time, status, duration and the first 4 KiB of the response', async () => {
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

  test('that dies leaves its claimed deliveries to other workers when the leases end', async () => {
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
    // All of one endpoint, and of the other as many as the initial limit allows.
    const arrived = await next(150 + 4)
    expect(arrived.filter((request) => request.url === '/fine')).toHaveLength(150)
    release()
    await drained
    expect(new Set((await deliveries()).map(({ status }) => status))).toEqual(new Set(['succeeded']))
  })
})
