import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askConsole, byHttps, cookieOf, forgetAttempts, signedIn } from '../../../../test/console.ts'
import { type Service, startConfigured, startService } from '../../../../test/running-service.ts'
import { createOperatorLink } from '../access/link.ts'

let service: Service
let proxied: Service

beforeAll(async () => {
  service = await startService()
  proxied = await startConfigured({ TRUST_PROXY: '127.0.0.1' })
  return () => proxied.app.http.close()
})
beforeEach(() => forgetAttempts(service))

/** A request as it arrives from an address, for a name. */
const arrive = (remoteAddress: string, host: string) =>
  service.app.http.inject({
    method: 'POST',
    url: '/console/api/session/get',
    remoteAddress,
    headers: { host, 'x-precedent-console': '1' },
  })

describe('the cookie of a session', () => {
  test('over https it is bound to the host, and no script and no other site gets it', async () => {
    const token = await createOperatorLink(service.database, 'https@example.com')
    const answer = await askConsole(proxied, 'session/sign-in', { token }, byHttps('203.0.113.10'))
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-precedent_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    const asked = (cookie: string) => askConsole(proxied, 'session/get', {}, { cookie, ...byHttps('203.0.113.10') })
    expect((await asked(cookieOf(answer))).status).toBe(200)
    // The plain name can be planted by a page of a neighbouring host, so it does not count over https.
    expect((await asked(cookieOf(answer).replace('__Host-', ''))).status).toBe(401)
  })

  test('over http on loopback its name has the port, because browsers keep no `__Host-` cookie there', async () => {
    const token = await createOperatorLink(service.database, 'http@example.com')
    const answer = await askConsole(service, 'session/sign-in', { token })
    const [, port, value] =
      /^precedent_session_(\d+)=([\w-]{43}); Path=\/; HttpOnly; SameSite=Strict$/.exec(
        answer.headers.get('set-cookie') ?? '',
      ) ?? []
    expect(port).toBe(new URL(service.url).port)
    // Cookies are those of the host, so the browser sends that of an installation at another port too.
    const both = `precedent_session_1=${'a'.repeat(43)}; precedent_session_${port}=${value}`
    expect((await askConsole(service, 'session/get', {}, { cookie: both })).status).toBe(200)
  })
})

describe('http', () => {
  test.each([
    ['127.0.0.1', 'localhost:8080'],
    ['127.0.0.1', '127.0.0.1:8080'],
    ['::1', '[::1]:8080'],
  ])('is served on the machine itself: from %s as %s', async (address, host) => {
    expect((await arrive(address, host)).json().error.status).toBe('UNAUTHENTICATED')
  })

  test.each([
    ['from another machine', '192.168.1.20', '192.168.1.5:8080'],
    ['from another machine that says it is this one', '192.168.1.20', 'localhost:8080'],
    ['under a name of another site that leads to loopback', '127.0.0.1', 'console.example.com'],
    ['under a port that is none', '127.0.0.1', 'localhost:123456'],
  ])('is refused %s, with a sentence that says why', async (_, address, host) => {
    const { statusCode, body } = await arrive(address, host)
    expect(statusCode).toBe(403)
    const { message } = JSON.parse(body).error
    expect(message).toContain('The console is served over https only, because over http others')
    expect(message).toContain('TRUST_PROXY')
  })

  test('counts as https only where a trusted proxy says so', async () => {
    const headers = { ...byHttps('203.0.113.11'), host: 'console.example.com' }
    const request = { method: 'POST', url: '/console/api/session/get' } as const
    const from = (remoteAddress: string) =>
      proxied.app.http.inject({ ...request, remoteAddress, headers: { ...headers, 'x-precedent-console': '1' } })
    expect((await from('127.0.0.1')).statusCode).toBe(401)
    expect((await from('192.168.1.20')).statusCode).toBe(403)
  })
})

describe('a port of this machine that a trusted gateway forwards, as to a container', () => {
  let container: Service
  beforeAll(async () => {
    container = await startConfigured({ TRUST_PROXY: '172.17.0.1' })
    return () => container.app.http.close()
  })
  const arriveBy = (headers: Record<string, string>) =>
    container.app.http.inject({
      method: 'POST',
      url: '/console/api/session/get',
      remoteAddress: '172.17.0.1',
      headers: { host: 'localhost:8080', 'x-precedent-console': '1', ...headers },
    })

  test('serves the console over http as the machine itself does', async () => {
    expect((await arriveBy({})).json().error.status).toBe('UNAUTHENTICATED')
  })

  test.each([
    ['under another name', { host: '192.168.1.5:8080' }],
    ['where a proxy says that it is http', { 'x-forwarded-proto': 'http' }],
  ])('does not %s', async (_, headers) => {
    expect((await arriveBy(headers)).statusCode).toBe(403)
  })
})

describe('a page of another site', () => {
  test('cannot call the console: it cannot set the header, and browsers say where it is from', async () => {
    const { ask } = await signedIn(service, 'operator')
    const get = (headers: Record<string, string>) => ask('session/get', {}, headers)
    expect((await get({})).status).toBe(200)
    expect((await get({ 'x-precedent-console': '' })).status).toBe(403)
    for (const site of ['cross-site', 'same-site']) expect((await get({ 'sec-fetch-site': site })).status).toBe(403)
    for (const site of ['same-origin', 'none']) expect((await get({ 'sec-fetch-site': site })).status).toBe(200)
  })

  test('cannot sign anybody in either', async () => {
    const token = await createOperatorLink(service.database, 'login-csrf@example.com')
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await askConsole(service, 'session/sign-in', { token }, headers)).status).toBe(403)
    expect((await askConsole(service, 'session/sign-in', { token })).status).toBe(200)
  })

  test('is not told that it may ask: no preflight is answered', async () => {
    const answer = await service.app.http.inject({
      method: 'OPTIONS',
      url: '/console/api/session/sign-out',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-precedent-console',
      },
    })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.statusCode).toBe(404)
  })
})
