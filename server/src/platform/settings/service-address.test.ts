import { expect, test } from 'vitest'
import { serviceAddress } from './service-address.ts'

test.each([
  [{ host: '127.0.0.1', port: 8080 }, 'http://127.0.0.1:8080'],
  [{ host: 'localhost', port: 80 }, 'http://localhost:80'],
  [{ host: '0.0.0.0', port: 8080 }, 'http://127.0.0.1:8080'],
  [{ host: '::', port: 8080 }, 'http://[::1]:8080'],
  [{ host: '::1', port: 8080 }, 'http://[::1]:8080'],
  [{ host: '10.0.0.5', port: 9000 }, 'http://10.0.0.5:9000'],
  [{ host: '0.0.0.0', port: 8080, publicUrl: 'https://example.com/precedent/' }, 'https://example.com/precedent'],
])('%j opens as %s', (config, address) => {
  expect(serviceAddress(config)).toBe(address)
})
