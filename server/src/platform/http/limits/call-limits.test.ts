import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { asApiKey, newWorkspace, startConfigured, startService } from '../../../../test/running-service.ts'
import { CallConcurrency, CallRate } from './call-limits.ts'

const READ = '/v2/organizations/get'

test('a caller makes so many calls a second, and as many at once after a second without any', () => {
  const rate = new CallRate(3)
  const calls = (at: number, count: number) => Array.from({ length: count }, () => rate.consume('a', at)?.allowed)
  expect(calls(0, 4)).toEqual([true, true, true, false])
  expect(calls(400, 2)).toEqual([true, false])
  expect(calls(5_000, 4)).toEqual([true, true, true, false])
  expect(rate.consume('b', 5_000)).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 1 })
})

test('a limit of 0 is no limit', () => {
  expect(new CallRate(0).consume('a', 0)).toBeUndefined()
  const calls = new CallConcurrency(0)
  expect(() => Array.from({ length: 99 }, () => calls.enter('a'))).not.toThrow()
})

test('a caller has so many calls in progress at a time', () => {
  const calls = new CallConcurrency(2)
  const leave = calls.enter('a')
  calls.enter('a')
  expect(() => calls.enter('a')).toThrow('More than 2 calls with these credentials are in progress.')
  calls.enter('b')
  leave()
  calls.enter('a')
})

test('beyond RATE_LIMIT_KEY a call is 429 with RateLimit headers, and another API key is served', async () => {
  await startService()
  const service = await startConfigured({ RATE_LIMIT_KEY: '5' })
  const [ws, other] = [await newWorkspace(service), await newWorkspace(service)]
  const answers = await Promise.all(Array.from({ length: 12 }, () => ws.call(READ)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(3)
  expect(refused[0]?.body.error.status).toBe('RESOURCE_EXHAUSTED')
  const headers = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']
  expect(headers.map((name) => refused[0]?.headers.get(name))).toEqual(['5', '0', '1', '1'])
  const served = await other.call(READ)
  expect([served.status, served.headers.get('ratelimit-remaining')]).toEqual([200, '4'])
})

test('beyond CONCURRENCY_KEY a call is 429; what ended makes room', async () => {
  await startService()
  const ws = await newWorkspace(await startConfigured({ CONCURRENCY_KEY: '1' }))
  const organizations = [{ organizationId: 'acme' }]
  const write = () => ws.call('/v2/organizations/add', { organizations })
  const answers = await Promise.all(Array.from({ length: 20 }, write))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect((await ws.call(READ)).status).toBe(200)
})

test('a call whose caller leaves takes no place for good', async () => {
  await startService()
  const service = await startConfigured({ CONCURRENCY_KEY: '1' })
  const ws = await newWorkspace(service)
  const body = JSON.stringify({ data: { organizations: [{ organizationId: 'acme' }] } })
  const headers = Object.entries({ ...ws.keyHeaders, host: 'x', 'content-length': String(body.length) })
  const head = ['POST /v2/organizations/add HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`)]
  const { port, hostname } = new URL(service.url)
  for (let waitMs = 0; waitMs < 8; waitMs++) {
    const socket = connect(Number(port), hostname)
    socket.write(`${head.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n${body}`)
    await delay(waitMs)
    socket.destroy()
  }
  await expect.poll(async () => (await ws.call(READ)).status).toBe(200)
})

test('an unknown API key uses up nothing of a known one', async () => {
  await startService()
  const service = await startConfigured({ RATE_LIMIT_KEY: '5' })
  const ws = await newWorkspace(service)
  const { keyHeaders } = await asApiKey(service, ws.apiKey)
  const wrong = { ...keyHeaders, 'x-service-auth-token': 'wrong' }
  for (let n = 0; n < 10; n++) expect((await service.call(READ, {}, wrong)).body.error.status).toBe('PERMISSION_DENIED')
  expect((await ws.call(READ)).headers.get('ratelimit-remaining')).toBe('4')
})

test('beyond RATE_LIMIT_ADDRESS whatever needs no credentials is 429, operations with credentials are served', async () => {
  await startService()
  const service = await startConfigured({ RATE_LIMIT_ADDRESS: '5' })
  const ws = await newWorkspace(service)
  const paths = ['/.well-known/jwks.json', '/openapi.json', '/nothing']
  for (const path of paths) {
    const statuses = []
    for (let n = 0; n < 8; n++) statuses.push((await fetch(service.url + path)).status)
    expect([path, statuses.includes(429)]).toEqual([path, true])
  }
  const tokens = await Promise.all(Array.from({ length: 8 }, () => service.call('/v2/auth/token/get', { userId: 'a' })))
  expect(tokens.map(({ status }) => status)).toContain(429)
  expect((await ws.call(READ)).status).toBe(200)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
})
