import { describe, expect, test } from 'vitest'
import { startConfigured } from '../../../test/running-service.ts'
import { createClientAddress } from './client-address.ts'

describe('X-Forwarded-For of a trusted proxy', () => {
  const clientAddress = createClientAddress(['10.0.0.0/8', '2001:db8:f::1', '127.0.0.1'])

  test.each([
    ['the last entry counts', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['trusted proxies are passed over', '10.0.0.1', '203.0.113.9, 10.0.0.3,10.0.0.2', '203.0.113.9'],
    ['what the client itself sent does not count', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['the port of an IPv4 entry is cut', '10.0.0.1', '203.0.113.9:61234', '203.0.113.9'],
    ['the port of a proxy is cut too', '10.0.0.1', '203.0.113.9:1, 10.0.0.2:443', '203.0.113.9'],
    ['the port of an IPv6 entry is cut', '10.0.0.1', '[2001:db8::7]:61234', '2001:db8::7'],
    ['brackets without a port are cut', '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['an IPv6 entry needs no brackets', '10.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['an entry that is no address counts as that of the socket', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['an empty entry counts as that of the socket', '10.0.0.1', '203.0.113.9, ', '10.0.0.1'],
    ['a port alone counts as that of the socket', '10.0.0.1', ':61234', '10.0.0.1'],
    ['an impossible address counts as that of the socket', '10.0.0.1', '999.1.1.1:80', '10.0.0.1'],
    ['an IPv4-mapped socket address is that of the proxy', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['proxies alone: the first of them', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['without the header, the socket counts', '10.0.0.1', undefined, '10.0.0.1'],
    ['a sender that is not trusted cannot set its address', '203.0.113.1', '1.1.1.1', '203.0.113.1'],
  ])('%s', (_, socket, header, client) => {
    expect(clientAddress(socket, header)).toBe(client)
  })
})

test('one client behind a proxy has one limit, whatever its ports', async () => {
  const { app } = await startConfigured({ RATE_LIMIT_WORKSPACE_CREATE: '1', TRUST_PROXY: '127.0.0.1' })
  const create = async (forwardedFor: string) => {
    const headers = { 'x-forwarded-for': forwardedFor }
    const request = { method: 'POST', url: '/v2/workspace/create', headers, payload: { data: {} } } as const
    return (await app.http.inject(request)).statusCode
  }
  expect(await create('203.0.113.50:1001')).toBe(400)
  expect(await create('203.0.113.50:1002')).toBe(429)
  expect(await create('203.0.113.51:1001')).toBe(400)
  await app.http.close()
})
