import { request as rawRequest } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Answer } from '../../../test/answer.ts'
import {
  newWorkspace,
  type Service,
  startConfigured,
  startService,
  type TestWorkspace,
} from '../../../test/running-service.ts'
import { sql } from '../db/db.ts'
import { idempotencyPruning } from './idempotency.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

const PATH = '/v2/workspace/domains/add'

const bodyOf = async (response: Response): Promise<Answer['body']> => JSON.parse(await response.text())

function post(body: string | Buffer, headers: Record<string, string> = {}, path = PATH) {
  return fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ws.keyHeaders, ...headers },
    body,
  })
}

describe('transport', () => {
  test('a body over the limit is INVALID_ARGUMENT with HTTP 413, and names the limit', async () => {
    const response = await post(`{"data":{"x":"${'x'.repeat(5 * 1024 * 1024)}"}}`)
    const error = { status: 'INVALID_ARGUMENT', code: 413, message: 'The body must have at most 5242880 bytes.' }
    expect([response.status, (await bodyOf(response)).error]).toMatchObject([413, error])
  })

  test('what is still sent of a body over the limit is read and dropped, so that its sender comes to read the answer', async () => {
    const size = 6 * 1024 * 1024
    const sent = 1024 * 1024
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    let answers = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answers += text
    })
    const headers = { host: 'localhost', 'content-type': 'application/json', 'content-length': size, ...ws.keyHeaders }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${PATH} HTTP/1.1\r\n${lines.join('')}\r\n${'x'.repeat(sent)}`)
    await vi.waitFor(() => expect(answers).toMatch(/^HTTP\/1.1 413 /), 20_000)
    socket.write('x'.repeat(size - sent))
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await vi.waitFor(() => expect(answers).toMatch(/HTTP\/1.1 200 /), 20_000)
    socket.destroy()
  })

  test('a body that is not UTF-8 is INVALID_ARGUMENT', async () => {
    const response = await post(Buffer.from([0x7b, 0xff, 0x7d]))
    expect([response.status, (await bodyOf(response)).error.message]).toEqual([400, 'The body is not valid UTF-8'])
  })

  test('U+0000 or a lone surrogate anywhere in a body, keys included, is INVALID_ARGUMENT', async () => {
    const beside = '{"data":{"domains":["beside.example.com"]},'
    for (const [body, path] of [
      [`${beside}"more":["\\u0000"]}`, 'more[0]'],
      [`${beside}"\\ud800":1}`, ''],
      ['{"data":{"domains":[],"k\\u0000":1}}', ''],
    ] as const) {
      const { error } = await bodyOf(await post(body))
      expect([error?.status, error?.details.issues[0].path]).toEqual(['INVALID_ARGUMENT', path])
    }
  })

  test('the charset of the content type may be UTF-8 and nothing else', async () => {
    const body = '{"data":{"domains":["utf8.example.com"]}}'
    expect((await post(body, { 'content-type': 'Application/JSON; charset="UTF-8"' })).status).toBe(200)
    expect((await post(body, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(415)
  })

  test('a failure carries status, message and the HTTP status as code', async () => {
    const response = await post('{"data":{}}')
    expect(await bodyOf(response)).toEqual({
      error: {
        status: 'INVALID_ARGUMENT',
        message: 'domains is required',
        code: 400,
        details: { issues: [{ path: 'domains', message: 'is required' }] },
      },
    })
  })

  test('headers with the alias prefix x-velt are accepted as well', async () => {
    const headers = {
      'x-velt-api-key': ws.apiKey,
      'x-velt-auth-token': ws.keyHeaders['x-service-auth-token'] ?? '',
    }
    const answer = await service.call('/v2/workspace/domains/get', {}, headers)
    expect(answer.status).toBe(200)
  })
})

describe('Idempotency-Key', () => {
  const add = (domain: string, key: string) =>
    post(JSON.stringify({ data: { domains: [domain] } }), { 'idempotency-key': key })

  test('the same key with the same body replays the first answer', async () => {
    const first = await (await add('once.example.com', 'k1')).text()
    const again = await (await add('once.example.com', 'k1')).text()
    expect(again).toBe(first)
    expect(first).toContain('once.example.com')
    const fresh = await (await add('once.example.com', 'k1-other')).text()
    expect(fresh).not.toBe(first)
  })

  test('the same key with another body is ALREADY_EXISTS', async () => {
    await add('a.example.com', 'k2')
    const response = await add('b.example.com', 'k2')
    expect([response.status, (await bodyOf(response)).error.status]).toEqual([409, 'ALREADY_EXISTS'])
  })

  test('it is scoped to the API key', async () => {
    const other = await newWorkspace(service)
    await add('mine.example.com', 'k3')
    const response = await post('{"data":{"domains":["theirs.example.com"]}}', {
      ...other.keyHeaders,
      'idempotency-key': 'k3',
    })
    expect(response.status).toBe(200)
  })

  test('concurrent calls with one key have one effect and one answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => (await add('race.example.com', 'k4')).text()),
    )
    expect(new Set(answers).size).toBe(1)
  })

  test('a failed call keeps nothing: the key can be used again', async () => {
    expect((await post('{"data":{"domains":"no list"}}', { 'idempotency-key': 'k5' })).status).toBe(400)
    expect((await add('after.example.com', 'k5')).status).toBe(200)
  })

  test('an answer that can no longer be replayed is forgotten', async () => {
    await add('old.example.com', 'k6')
    const kept = () => service.database.query(sql`select key from idempotency_key where owner = ${ws.apiKey}`)
    const before = (await kept()).length
    await service.database.query(sql`
      update idempotency_key set expires_at = now_ms() - 1 where owner = ${ws.apiKey} and expires_at > now_ms() + 86390000`)
    await idempotencyPruning({ db: service.database, services: service.app.services }).work(() => {})
    expect((await kept()).length).toBeLessThan(before)
  })

  const malformed = { 'idempotency-key': 'k'.repeat(256) }

  test('a malformed key is INVALID_ARGUMENT', async () => {
    expect((await post('{"data":{"domains":["x.example.com"]}}', malformed)).status).toBe(400)
  })

  test('on reads and on the public create it is not even read', async () => {
    expect((await post('{"data":{}}', malformed, '/v2/workspace/domains/get')).status).toBe(200)
    const owner = { data: { ownerEmail: `ignored-${ws.id}@example.com` } }
    expect((await post(JSON.stringify(owner), malformed, '/v2/workspace/create')).status).toBe(200)
  })
})

describe('CORS', () => {
  const preflight = (origin: string) =>
    fetch(service.url + PATH, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-service-api-key',
      },
    })

  test('answers are given to listed origins, preflight included, and to none when the list is empty', async () => {
    const fresh = await newWorkspace(service)
    const call = (origin: string) =>
      fetch(`${service.url}/v2/workspace/domains/get`, { method: 'POST', headers: { ...fresh.keyHeaders, origin } })
    expect((await call('https://app.cors-test.com')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await preflight('https://app.cors-test.com')).headers.get('access-control-allow-origin')).toBeNull()
    await fresh.ok(PATH, { domains: ['*.cors-test.com'] })
    expect((await call('https://app.cors-test.com')).headers.get('access-control-allow-origin')).toBe(
      'https://app.cors-test.com',
    )
    const allowed = await preflight('https://app.cors-test.com')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-headers')).toBe('x-service-api-key')
    expect((await call('https://cors-test.com.evil.example')).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a page reads the headers that a client needs: Retry-After and the request id', async () => {
    const fresh = await newWorkspace(service)
    await fresh.ok(PATH, { domains: ['exposed.example.com'] })
    const headers = { ...fresh.keyHeaders, origin: 'https://exposed.example.com' }
    const answer = await fetch(`${service.url}/v2/workspace/domains/get`, { method: 'POST', headers })
    const exposed = answer.headers.get('access-control-expose-headers')
    expect(exposed).toMatch(/^ratelimit-limit, .* retry-after, x-ignored-fields, x-request-id$/)
  })

  test('server callers send no Origin and are not affected', async () => {
    const response = await post('{"data":{"domains":["cors.example.com"]}}')
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })
})

describe('probes', () => {
  test('/healthz, /readyz and /metrics answer', async () => {
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/http_requests_total\{operation="addDomains",status="200"\} \d+/)
  })
})

test('the addresses of one IPv6 network share the limit of a client address', async () => {
  const { http } = (await startConfigured({ RATE_LIMIT_WORKSPACE_CREATE: '1' })).app
  const create = async (remoteAddress: string) =>
    (await http.inject({ method: 'POST', url: '/v2/workspace/create', remoteAddress, payload: { data: {} } }))
      .statusCode
  expect(await create('2001:db8:0:1::1')).toBe(400)
  expect(await create('2001:db8:0:1::2')).toBe(429)
  expect(await create('2001:db8:0:2::1')).toBe(400)
  await http.close()
})

describe('what is no request', () => {
  /** Sends bytes unchanged; returns the head, in lower case, and the parsed body. */
  function send(bytes: string): Promise<{ head: string; body: Answer['body'] }> {
    const { hostname, port } = new URL(service.url)
    return new Promise((resolve) => {
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write(bytes))
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        const [head = '', body = ''] = text.split('\r\n\r\n')
        resolve({ head: head.toLowerCase(), body: JSON.parse(body) })
      })
    })
  }

  const request = (path: string, header: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`

  test.each([
    ['a path that is none', request('/%zz', 'Connection: close'), 400],
    ['bytes that are no HTTP', 'no such protocol\r\n\r\n', 400],
    ['headers over the limit', request('/healthz', `X-Long: ${'x'.repeat(20_000)}`), 431],
  ])('%s fails like any request, with a request id', async (_, bytes, code) => {
    const { head, body } = await send(bytes)
    expect(head).toContain(`http/1.1 ${code} `)
    expect(head).toMatch(/\r\nx-request-id: [\w.:-]+/)
    expect(head).toContain('cache-control: no-store')
    expect(head).toContain('content-type: application/json; charset=utf-8')
    expect(body).toEqual({ error: { status: 'INVALID_ARGUMENT', message: expect.stringMatching(/^The /), code } })
  })

  test("a path that is none is answered under the caller's request id, and counted", async () => {
    const { head } = await send(request('/%zz', 'Connection: close\r\nX-Request-Id: mine-1'))
    expect(head).toContain('x-request-id: mine-1')
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/http_requests_total\{operation="unknown",status="400"\} \d+/)
    expect(metrics).toMatch(/http_requests_total\{operation="unknown",status="431"\} \d+/)
  })
})

describe.runIf(process.env.TEST_DATABASE === 'postgres')('reads that take long', () => {
  test('hold up neither authentication nor /readyz', async () => {
    const LOCK = 4_712
    let stuck: Promise<unknown>[] = []
    await service.database.transaction(async (db) => {
      await db.query(sql`select pg_advisory_xact_lock(${LOCK})`)
      stuck = Array.from({ length: 8 }, () => service.database.query(sql`select pg_advisory_xact_lock_shared(${LOCK})`))
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
      expect((await post('{}', { 'x-service-auth-token': 'wrong' })).status).toBe(403)
    })
    await Promise.all(stuck)
  })
})

test('a header that is no UTF-8 and a path of any shape never answer 5xx', async () => {
  for (const path of ['/%', '/%ff', '/v2/%2e%2e/x', '//', '/v2/workspace/create?x=%00']) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(service.url)
      const request = rawRequest({ hostname, port, path, method: 'POST' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.on('error', reject)
      request.end()
    })
    expect(status).toBeLessThan(500)
  }
})
