import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { normaliseDomain } from './allowed-domain.ts'

const service = await startService()
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const add = async (...domains: string[]) => (await ws.ok('/v2/workspace/domains/add', { domains })).data
const listed = async () => (await ws.ok('/v2/workspace/domains/get')).data.allowedDomains

test.each([
  ['https://www.Acme.com:8443/path?q#f', 'acme.com'],
  ['acme.com.', 'acme.com'],
  ['*.acme.com', '*.acme.com'],
  ['http://*.acme.com/', '*.acme.com'],
  ['localhost:3000', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['http://[::1]:8080', '[::1]'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['www.com', 'com'],
  ['*', undefined],
  ['a.*.com', undefined],
  ['acme com', undefined],
  ['', undefined],
  ['http://', undefined],
])('%s is listed as %s', (domain, host) => {
  expect(normaliseDomain(domain)).toBe(host)
})

describe('domains/add', () => {
  test('strips protocol and www. and answers domainsAdded', async () => {
    expect(await add('https://www.acme.com/app', '*.beta.org')).toEqual({
      domainsAdded: ['acme.com', '*.beta.org'],
      skippedDomains: [],
      results: {
        'acme.com': { success: true, message: 'Domain added.' },
        '*.beta.org': { success: true, message: 'Domain added.' },
      },
    })
    expect(await listed()).toEqual(['*.beta.org', 'acme.com'])
  })

  test('a domain that is listed already is skipped while the others are added, in an overall success', async () => {
    await add('acme.com')
    const { domainsAdded, skippedDomains, results } = await add('ACME.com', 'beta.org', 'https://acme.com')
    expect({ domainsAdded, skippedDomains }).toEqual({ domainsAdded: ['beta.org'], skippedDomains: ['acme.com'] })
    expect(results['acme.com']?.success).toBe(false)
  })

  test('concurrent adds of the same domains neither fail nor add twice', async () => {
    const domains = ['a.com', 'b.com', 'c.com']
    const answers = await Promise.all([add(...domains), add(...domains.toReversed()), add(...domains)])
    expect(answers.flatMap(({ domainsAdded }) => domainsAdded).sort()).toEqual(domains)
  })

  test('one API key does not see the domains of another', async () => {
    await add('acme.com')
    ws = await newWorkspace(service)
    expect(await listed()).toEqual([])
  })
})

describe('domains/delete', () => {
  test('removes what is listed and skips what is not, in an overall success', async () => {
    await add('acme.com', 'beta.org')
    const { data } = await ws.ok('/v2/workspace/domains/delete', { domains: ['https://acme.com', 'gamma.net'] })
    expect(data).toEqual({
      domainsRemoved: ['acme.com'],
      skippedDomains: ['gamma.net'],
      results: {
        'acme.com': { success: true, message: 'Domain deleted.' },
        'gamma.net': { success: false, message: 'Domain is not allowed.' },
      },
    })
    expect(await listed()).toEqual(['beta.org'])
  })
})

test.each(['/v2/workspace/domains/add', '/v2/workspace/domains/delete'])('%s also answers under v1', async (path) => {
  expect((await ws.call(path.replace('v2', 'v1'), { domains: ['acme.com'] })).status).toBe(200)
})

test.each(['add', 'delete'])('domains/%s: 1 to 100 domains, each a domain, else INVALID_ARGUMENT', async (verb) => {
  const path = `/v2/workspace/domains/${verb}`
  const many = Array.from({ length: 101 }, (_, i) => `d${i}.com`)
  expect((await ws.call(path, { domains: many.slice(1) })).status).toBe(200)
  for (const [domains, at] of [
    [many, 'domains'],
    [['a.com', 'b c'], 'domains[1]'],
    [[''], 'domains[0]'],
    ['a.com', 'domains'],
  ]) {
    const { body } = await ws.call(path, { domains })
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path: at }] } })
  }
  expect((await ws.call(path)).body.error.message).toBe('domains is required')
})

describe('browsers', () => {
  const readable = async (origin: string) => {
    const { headers, status } = await service.call('/v2/workspace/domains/get', {}, { ...ws.keyHeaders, origin })
    return status === 200 && headers.get('access-control-allow-origin') === origin
  }

  test('no origin is answered while the list is empty, and callers without an origin always are', async () => {
    expect(await readable('https://acme.com')).toBe(false)
    expect(await listed()).toEqual([])
  })

  test('https on the default port of a listed host is answered, with or without www.; others are not', async () => {
    await add('acme.com')
    for (const origin of ['https://acme.com', 'https://acme.com:443', 'https://www.acme.com']) {
      expect(await readable(origin)).toBe(true)
    }
    for (const origin of ['https://acme.com.evil.net', 'https://sub.acme.com', 'https://evilacme.com', 'null']) {
      expect(await readable(origin)).toBe(false)
    }
    for (const origin of ['http://acme.com', 'https://acme.com:8443', 'http://acme.com:3000', 'ftp://acme.com']) {
      expect(await readable(origin)).toBe(false)
    }
  })

  test('http and other ports are answered for listed loopback hosts only', async () => {
    await add('localhost', '127.0.0.1', 'http://[::1]', '10.0.0.1', 'localhost.acme.com')
    for (const origin of ['http://localhost:3000', 'https://localhost:8443', 'http://127.0.0.1', 'http://[::1]:5173']) {
      expect(await readable(origin)).toBe(true)
    }
    for (const origin of ['http://10.0.0.1', 'http://localhost.acme.com', 'chrome-extension://localhost']) {
      expect(await readable(origin)).toBe(false)
    }
  })

  test('a preflight is allowed on the same origins', async () => {
    const host = `${randomUUID()}.example`
    await add(host)
    const allowed = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const response = await fetch(`${service.url}/v2/users/get`, { method: 'OPTIONS', headers })
      return response.headers.get('access-control-allow-origin') === origin
    }
    expect(await allowed(`https://${host}`)).toBe(true)
    expect(await allowed(`http://${host}`)).toBe(false)
    expect(await allowed(`https://${host}:8443`)).toBe(false)
  })

  test('*.host covers every subdomain at any depth, www. included, and not the host itself', async () => {
    await add('*.acme.com')
    for (const origin of ['https://a.acme.com', 'https://a.b.acme.com', 'https://www.acme.com']) {
      expect(await readable(origin)).toBe(true)
    }
    expect(await readable('https://acme.com')).toBe(false)
    expect(await readable('https://acme.com.evil.net')).toBe(false)
  })

  test('a host longer than any name can be is not looked up, whatever its labels', async () => {
    await add('*.acme.com')
    const hostOf = (length: number) =>
      'a.'
        .repeat(length)
        .slice(0, length - 'acme.com'.length - 1)
        .concat('.acme.com')
    expect(await readable(`https://${hostOf(252)}`)).toBe(true)
    expect(await readable(`https://${hostOf(254)}`)).toBe(false)
  })

  test("one key's domains do not open another key", async () => {
    await add('acme.com')
    ws = await newWorkspace(service)
    expect(await readable('https://acme.com')).toBe(false)
  })
})
