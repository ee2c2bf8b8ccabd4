import { beforeAll, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'

const CONFIG = '/v2/workspace/advancedwebhookconfig/update'
const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const URL_1 = 'https://example.com/hook'

let service: Service
beforeAll(async () => {
  service = await startService()
  service.clock.ahead = 0
})

const create = (ws: WebhookWorkspace, data: object = {}) => ws.createEndpoint({ url: URL_1, ...data })

describe('create', () => {
  test('returns every documented field, optional ones with their defaults', async () => {
    const ws = await newWebhookWorkspace(service)
    const before = Date.now()
    const endpoint = await create(ws)
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^ep_[0-9a-z]{26}$/),
      url: URL_1,
      description: '',
      filterTypes: [],
      channels: null,
      disabled: false,
      rateLimit: null,
      uid: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: endpoint.createdAt,
      metadata: {},
    })
    expect(Math.abs(Date.parse(endpoint.createdAt) - before)).toBeLessThan(10_000)
  })

  test('stores the given fields', async () => {
    const ws = await newWebhookWorkspace(service)
    const fields = {
      description: 'Audit log',
      filterTypes: ['comment.add', 'message.attempt.exhausted', 'step.awaiting-approval'],
      channels: ['org-1', 'doc-1'],
      disabled: true,
      rateLimit: 5,
      uid: 'mine',
      metadata: { team: 'legal', __proto__key: 'x' },
      retrySchedule: [1, 60],
      ordered: true,
    }
    expect(await create(ws, fields)).toMatchObject(fields)
  })

  test.each([
    ['url', { url: 'ftp://example.com' }],
    ['url', { url: 'example.com' }],
    ['url', { url: 'http://example.com\n/' }],
    ['url', { url: 'https://example.com/a\tb' }],
    ['url', { url: 'https://example.com:0/' }],
    ['url', { url: 'http://127.1.2.3.4.5/' }],
    ['url', { url: 'http://192.168.0.1/' }],
    ['url', { url: 'http://0xa000001/' }],
    ['url', { url: 'http://[::ffff:10.0.0.1]/' }],
    ['url', { url: 'http://169.254.169.254/latest/meta-data' }],
    ['url', { url: 'http://169.254.169.254./' }],
    ['url', { url: 'http://2852039166/' }],
    ['url', { url: 'http://0251.0376.0251.0376/' }],
    ['url', { url: 'http://192.168.257/' }],
    ['url', { url: 'http://[64:ff9b::a9fe:a9fe]/' }],
    ['url', { url: 'http://[fe80::1%25eth0]/' }],
    ['url', { url: 'http://[fd00:ec2::254]/' }],
    ['url', { url: 'http://example.com@10.0.0.1/' }],
    ['url', { url: 'http://user:password@example.com/' }],
    ['url', { url: 'http://0.0.0.0/' }],
    ['url', { url: 'http://224.0.0.1/' }],
    ['url', { url: undefined }],
    ['filterTypes', { filterTypes: [] }],
    ['filterTypes[1]', { filterTypes: ['comment.add', 'comment.nothing'] }],
    ['channels', { channels: [] }],
    ['rateLimit', { rateLimit: 0 }],
    ['rateLimit', { rateLimit: -1 }],
    ['rateLimit', { rateLimit: 1.5 }],
    ['metadata.key', { metadata: { key: 1 } }],
    ['disabled', { disabled: 'no' }],
    ['retrySchedule[0]', { retrySchedule: [0] }],
  ])('an invalid %s is INVALID_ARGUMENT: %j', async (path, data) => {
    const ws = await newWebhookWorkspace(service)
    const { status, body } = await ws.call(`${ENDPOINTS}/create`, { url: URL_1, ...data })
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(body.error.details.issues[0].path).toBe(path)
  })
})

describe('update', () => {
  test('changes the sent fields only; channels, rateLimit and uid are cleared by null', async () => {
    const ws = await newWebhookWorkspace(service)
    const endpoint = await create(ws, {
      description: 'one',
      channels: ['org-1'],
      rateLimit: 3,
      uid: 'u',
      metadata: { a: '1' },
    })
    const changed = (
      await ws.ok(`${ENDPOINTS}/update`, {
        endpointId: endpoint.id,
        url: 'http://example.org/',
        filterTypes: ['comment.add'],
        metadata: { b: '2' },
      })
    ).data
    expect(changed).toEqual({
      ...endpoint,
      url: 'http://example.org/',
      filterTypes: ['comment.add'],
      metadata: { a: '1', b: '2' },
      updatedAt: expect.any(String),
    })
    expect(Date.parse(changed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(endpoint.updatedAt))
    const cleared = { channels: null, rateLimit: null, uid: null }
    expect((await ws.ok(`${ENDPOINTS}/update`, { endpointId: endpoint.id, ...cleared })).data).toEqual({
      ...changed,
      ...cleared,
      updatedAt: expect.any(String),
    })
  })

  test('null removes one key of the metadata, at creation it is refused', async () => {
    const ws = await newWebhookWorkspace(service)
    const { id } = await create(ws, { metadata: { a: '1', b: '2' } })
    const change = { a: null, c: '3', never: null }
    const { data } = await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, metadata: change })
    expect(data.metadata).toEqual({ b: '2', c: '3' })
    const { body } = await ws.call(`${ENDPOINTS}/create`, { url: 'http://example.org', metadata: { a: null } })
    expect(body.error.details.issues[0].path).toBe('metadata.a')
  })

  test('with nothing besides endpointId it is INVALID_ARGUMENT', async () => {
    const ws = await newWebhookWorkspace(service)
    const { id } = await create(ws)
    for (const data of [{}, { unknown: 1 }]) {
      const { body } = await ws.call(`${ENDPOINTS}/update`, { endpointId: id, ...data })
      expect(body.error.status).toBe('INVALID_ARGUMENT')
      expect(body.error.message).toContain('besides endpointId')
    }
  })

  test.each([
    ['url', { url: 'gopher://x' }],
    ['url', { url: 'http://10.1.1.1' }],
    ['filterTypes', { filterTypes: [] }],
    ['filterTypes[0]', { filterTypes: ['added'] }],
    ['channels', { channels: [] }],
    ['rateLimit', { rateLimit: 0 }],
    ['metadata.a', { metadata: { a: true } }],
  ])('an invalid %s is INVALID_ARGUMENT and changes nothing: %j', async (path, data) => {
    const ws = await newWebhookWorkspace(service)
    const endpoint = await create(ws)
    const { body } = await ws.call(`${ENDPOINTS}/update`, { endpointId: endpoint.id, ...data })
    expect(body.error.status).toBe('INVALID_ARGUMENT')
    expect(body.error.details.issues[0].path).toBe(path)
    expect((await ws.ok(`${ENDPOINTS}/get`)).data.endpoints).toEqual([endpoint])
  })
})

describe('delete and secrets', () => {
  test('a deleted endpoint is gone permanently, and so is its secret', async () => {
    const ws = await newWebhookWorkspace(service)
    const { id } = await create(ws)
    const { secret } = (await ws.ok(`${ENDPOINTS}/secret/get`, { endpointId: id })).data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect((await ws.ok(`${ENDPOINTS}/delete`, { endpointId: id })).data).toEqual({ endpointId: id, deleted: true })
    expect((await ws.ok(`${ENDPOINTS}/get`)).data.endpoints).toEqual([])
    for (const path of ['delete', 'secret/get', 'secret/rotate', 'update']) {
      const { status, body } = await ws.call(`${ENDPOINTS}/${path}`, { endpointId: id, description: 'x' })
      expect([path, status, body.error.status]).toEqual([path, 404, 'NOT_FOUND'])
    }
  })

  test('rotating returns the new secret, which secret/get returns from then on', async () => {
    const ws = await newWebhookWorkspace(service)
    const { id } = await create(ws)
    const before = (await ws.ok(`${ENDPOINTS}/secret/get`, { endpointId: id })).data.secret
    const rotated = (await ws.ok(`${ENDPOINTS}/secret/rotate`, { endpointId: id })).data
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(before)
    expect((await ws.ok(`${ENDPOINTS}/secret/get`, { endpointId: id })).data).toEqual(rotated)
  })

  test('an endpoint of another API key, and the URLs of the basic config, do not exist', async () => {
    const [mine, other] = [await newWebhookWorkspace(service), await newWebhookWorkspace(service)]
    await mine.ok('/v2/workspace/webhookconfig/update', {
      useWebhookService: true,
      webhookServiceConfig: { rawNotificationUrl: URL_1, authToken: 'x' },
    })
    const { id } = await create(other)
    for (const endpointId of [id, 'raw', 'processed', 'ep_nobody']) {
      for (const path of ['update', 'delete', 'secret/get', 'secret/rotate']) {
        const { body } = await mine.call(`${ENDPOINTS}/${path}`, { endpointId, description: 'x' })
        expect([endpointId, path, body.error.status]).toEqual([endpointId, path, 'NOT_FOUND'])
      }
    }
    expect((await mine.ok(`${ENDPOINTS}/get`)).data.endpoints).toEqual([])
  })
})

describe('never configured and disabled', () => {
  test('are two different FAILED_PRECONDITION messages on every endpoint operation', async () => {
    const never = await newWorkspace(service)
    const disabled = await newWebhookWorkspace(service)
    const { id } = await create(disabled)
    await disabled.ok(CONFIG, { isEnabled: false })
    const calls: [string, object][] = [
      ['create', { url: URL_1 }],
      ['get', {}],
      ['update', { endpointId: id, description: 'x' }],
      ['delete', { endpointId: id }],
      ['secret/get', { endpointId: id }],
      ['secret/rotate', { endpointId: id }],
    ]
    for (const [path, data] of calls) {
      const [a, b] = [await never.call(`${ENDPOINTS}/${path}`, data), await disabled.call(`${ENDPOINTS}/${path}`, data)]
      expect([path, a.body.error.status, b.body.error.status]).toEqual([
        path,
        'FAILED_PRECONDITION',
        'FAILED_PRECONDITION',
      ])
      expect(a.body.error.message).toContain('are not configured')
      expect(b.body.error.message).toContain('are disabled')
    }
    await disabled.ok(CONFIG, { isEnabled: true })
    expect((await disabled.ok(`${ENDPOINTS}/get`)).data.endpoints).toHaveLength(1)
  })
})

describe('list', () => {
  test('pages forwards with iterator and backwards with prevIterator', async () => {
    const ws = await newWebhookWorkspace(service)
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await create(ws)).id)
    const page = async (data: object) => {
      const { endpoints, ...rest } = (await ws.ok(`${ENDPOINTS}/get`, data)).data
      return { ids: endpoints.map(({ id }) => id), ...rest }
    }
    const first = await page({ limit: 2 })
    expect(first).toMatchObject({ ids: ids.slice(0, 2), prevIterator: null, done: false })
    const second = await page({ limit: 2, iterator: first.iterator })
    expect(second).toMatchObject({ ids: ids.slice(2, 4), done: false })
    const third = await page({ limit: 2, iterator: second.iterator })
    expect(third).toMatchObject({ ids: ids.slice(4), iterator: null, done: true })
    expect(await page({ limit: 2, iterator: third.prevIterator })).toMatchObject({ ids: ids.slice(2, 4), done: false })
    expect(await page({ limit: 2, iterator: second.prevIterator })).toMatchObject({
      ids: ids.slice(0, 2),
      prevIterator: null,
      done: false,
    })
    expect(await page({})).toEqual({ ids, iterator: null, prevIterator: null, done: true })
  })

  test('limit is 1 to 250', async () => {
    const ws = await newWebhookWorkspace(service)
    for (const limit of [0, 251, 1.5]) {
      const { body } = await ws.call(`${ENDPOINTS}/get`, { limit })
      expect(body.error.details.issues[0].path).toBe('limit')
    }
    for (const limit of [1, 250]) await ws.ok(`${ENDPOINTS}/get`, { limit })
  })

  test('an iterator that was not given out for this API key is INVALID_ARGUMENT', async () => {
    const [ws, other] = [await newWebhookWorkspace(service), await newWebhookWorkspace(service)]
    await create(other)
    await create(other)
    const { iterator } = (await other.ok(`${ENDPOINTS}/get`, { limit: 1 })).data
    for (const wrong of ['nonsense', iterator]) {
      const { body } = await ws.call(`${ENDPOINTS}/get`, { iterator: wrong })
      expect(body.error.details.issues[0].path).toBe('iterator')
    }
  })
})

test('an update of filterTypes to null receives all types again; an empty list is INVALID_ARGUMENT', async () => {
  const ws = await newWebhookWorkspace(service)
  const { id } = await create(ws, { filterTypes: ['comment.add'] })
  const empty = await ws.call(`${ENDPOINTS}/update`, { endpointId: id, filterTypes: [] })
  expect(empty.body.error.status).toBe('INVALID_ARGUMENT')
  const { data } = await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, filterTypes: null })
  expect(data.filterTypes).toEqual([])
})

test('an update of description to null clears it', async () => {
  const ws = await newWebhookWorkspace(service)
  const { id } = await create(ws, { description: 'one' })
  expect((await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, description: null })).data.description).toBe('')
})
