import { beforeAll, describe, expect, test } from 'vitest'
import { type Reply, testReceiver } from '../../server/test/receiver.ts'
import { newWorkspace, type Service, startService } from '../../server/test/running-service.ts'
import { type ClientOptions, ConnectionError, createClient, PrecedentError, TimeoutError } from './index.ts'

const DONE = { status: 200, body: '{"result":{"status":"success","data":{}}}' }
const USERS = { organizationId: 'acme', users: [{ userId: 'ada' }] }
const ABORTED = { status: 409, body: '{"error":{"status":"ABORTED","message":"Try again.","code":409}}' }
const READ = { organizationId: 'acme' }
const WORKSPACE = { ownerEmail: 'ada@example.com', name: 'Ada' }

/** A server that gives these replies in turn and then success, and a client of it that retries at once. */
async function serverThat(replies: (number | Reply)[], options: Partial<ClientOptions> = {}) {
  const receiver = await testReceiver((_request, index) => reply(replies[index] ?? 200))
  const client = createClient({ baseUrl: receiver.url, apiKey: 'k', authToken: 't', retryDelayMs: 1, ...options })
  return { client, sent: () => receiver.received() }
}

const reply = (how: number | Reply): Reply => (how === 200 ? DONE : typeof how === 'number' ? { status: how } : how)

const keyOf = ({ headers }: { headers: Record<string, unknown> }) => headers['idempotency-key']

describe('a call is sent again', () => {
  test.each([429, 502, 503, 504, 'reset'] as const)('after %s', async (failure) => {
    const { client, sent } = await serverThat([failure, failure])
    await client.users.getUsers(READ)
    await client.users.addUsers(USERS)
    expect(sent()).toHaveLength(4)
  })

  test('when no response arrives in time', async () => {
    const { client, sent } = await serverThat(['hang'], { timeoutMs: 100 })
    await client.users.getUsers(READ)
    expect(sent()).toHaveLength(2)
  })

  test('at most as often as allowed, and rejects with the last failure', async () => {
    const { client, sent } = await serverThat([503, 503, 503, 503, 503])
    await expect(client.users.getUsers(READ, { maxRetries: 1 })).rejects.toMatchObject({ httpStatus: 503 })
    expect(sent()).toHaveLength(2)
    await expect(client.users.getUsers(READ, { maxRetries: 0 })).rejects.toMatchObject({ httpStatus: 503 })
    expect(sent()).toHaveLength(3)
  })

  test('never after an error that stays', async () => {
    const { client, sent } = await serverThat([400, 401, 403, 404, 409, 500])
    for (const httpStatus of [400, 401, 403, 404, 409, 500]) {
      await expect(client.users.addUsers(USERS)).rejects.toMatchObject({ httpStatus })
    }
    expect(sent()).toHaveLength(6)
  })

  test('without an idempotency key only if nothing was done', async () => {
    const { client, sent } = await serverThat([429, ABORTED, 503, 'reset'])
    await expect(client.workspaces.createWorkspace(WORKSPACE)).rejects.toMatchObject({ httpStatus: 503 })
    expect(sent()).toHaveLength(3)
    await expect(client.workspaces.createWorkspace(WORKSPACE)).rejects.toThrow(ConnectionError)
    expect(sent()).toHaveLength(4)
    expect(sent().map(keyOf)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('the wait before a retry', () => {
  test('grows exponentially, with jitter', async () => {
    const { client, sent } = await serverThat([503, 503, 503], { retryDelayMs: 100 })
    await client.users.getUsers(READ)
    const times = sent().map(({ time }) => time)
    for (const [index, least] of [50, 100, 200].entries()) {
      expect((times[index + 1] ?? 0) - (times[index] ?? 0)).toBeGreaterThanOrEqual(least - 2)
    }
  })

  test.each([
    ['seconds', () => ({ 'retry-after': '1' }), 1000],
    ['a date', () => ({ 'retry-after': new Date(Date.now() + 2000).toUTCString() }), 900],
    [
      'a date of a server whose clock is wrong',
      () => ({ date: 'Mon, 01 Jan 2001 00:00:00 GMT', 'retry-after': 'Mon, 01 Jan 2001 00:00:01 GMT' }),
      1000,
    ],
  ])('is never less than Retry-After in %s', async (_, headers, least) => {
    const { client, sent } = await serverThat([{ status: 429, headers: headers() }])
    await client.users.getUsers(READ)
    const [first, second] = sent().map(({ time }) => time)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(least - 5)
    expect((second ?? 0) - (first ?? 0)).toBeLessThan(4000)
  })

  test('is spared when it would exceed the total time: the call rejects at once, with retryAfter', async () => {
    const { client, sent } = await serverThat([{ status: 429, headers: { 'retry-after': '3600' } }])
    const started = Date.now()
    const call = client.users.getUsers(READ)
    await expect(call).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED', retryAfter: 3600 })
    expect(Date.now() - started).toBeLessThan(2000)
    expect(sent()).toHaveLength(1)
  })
})

test('without limits of time a call waits for its response', async () => {
  const { client } = await serverThat([], {
    timeoutMs: Number.POSITIVE_INFINITY,
    totalTimeoutMs: Number.POSITIVE_INFINITY,
  })
  await client.users.getUsers(READ)
})

test('all attempts and waits together end with the total time', async () => {
  const { client } = await serverThat(['hang', 'hang', 'hang', 'hang'], { timeoutMs: 200, totalTimeoutMs: 500 })
  const started = Date.now()
  await expect(client.users.getUsers(READ, { maxRetries: 100 })).rejects.toThrow(TimeoutError)
  expect(Date.now() - started).toBeLessThan(1500)
})

describe('a signal', () => {
  test.each([
    ['during an attempt', 'hang'],
    ['during a wait', { status: 503, headers: { 'retry-after': '60' } }],
  ] as const)('ends the call %s, with its own reason', async (_, failure) => {
    const { client, sent } = await serverThat([failure])
    const controller = new AbortController()
    const call = client.users.getUsers(READ, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('The user has left.')), 200)
    await expect(call).rejects.toThrow('The user has left.')
    expect(sent()).toHaveLength(1)
  })

  test('that has already ended sends nothing', async () => {
    const { client, sent } = await serverThat([])
    await expect(client.users.getUsers(READ, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
    expect(sent()).toHaveLength(0)
  })
})

describe('a write', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })

  test('has an idempotency key of its own, the same on every retry; a read has none', async () => {
    const { client, sent } = await serverThat([503, 'reset'])
    await client.users.addUsers(USERS)
    await client.users.addUsers(USERS)
    await client.users.addUsers(USERS, { idempotencyKey: 'mine' })
    await client.users.getUsers(READ)
    const [first, second, third, other, own, read] = sent().map(keyOf)
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect([second, third]).toEqual([first, first])
    expect(other).not.toBe(first)
    expect([own, read]).toEqual(['mine', undefined])
  })

  test('whose response was lost is done once, and its retry returns that response', async () => {
    const ws = await newWorkspace(service)
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
    const proxy = await testReceiver(async ({ url, headers, body }, index) => {
      const passed = Object.entries(headers).filter(([name]) =>
        /^(content-type|x-service-.*|idempotency-key)$/.test(name),
      )
      const response = await fetch(service.url + url, {
        method: 'POST',
        headers: Object.fromEntries(passed) as Record<string, string>,
        body: new Uint8Array(body),
      })
      return index === 0 ? 'reset' : { status: response.status, body: await response.text() }
    })
    const client = createClient({
      baseUrl: proxy.url,
      apiKey: ws.apiKey,
      authToken: ws.keyHeaders['x-service-auth-token'],
      retryDelayMs: 1,
    })
    const { data } = await client.comments.addCommentAnnotations({
      organizationId: 'acme',
      documentId: 'plan',
      createDocument: true,
      commentAnnotations: [{ commentData: [{ commentText: 'Once', from: { userId: 'ada' } }] }],
    })
    expect(proxy.received()).toHaveLength(2)
    const { data: threads } = await ws.ok('/v2/commentannotations/get', { organizationId: 'acme' })
    expect(threads).toEqual([expect.objectContaining({ annotationId: Object.keys(data)[0] })])
  })
})

test('an error of the service is told from a connection that fails', async () => {
  const { client } = await serverThat([503], { maxRetries: 0 })
  await expect(client.users.getUsers(READ)).rejects.toThrow(PrecedentError)
  const gone = createClient({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 })
  const call = gone.users.getUsers(READ)
  await expect(call).rejects.toThrow(ConnectionError)
  await expect(call).rejects.not.toThrow(PrecedentError)
})
