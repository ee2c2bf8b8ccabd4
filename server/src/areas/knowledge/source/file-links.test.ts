import { expect, test } from 'vitest'
import { createSecrets } from '../../../platform/secret.ts'
import { fileUrl, openFileLink } from './file-links.ts'

const secrets = createSecrets([{ id: 'k1', key: Buffer.alloc(32, 1) }])
const link = { apiKey: 'key', key: 'source', what: 'upload', expiresAt: 1_000 } as const

test.each([
  [{ host: '0.0.0.0', port: 8080 }, 'http://127.0.0.1:8080'],
  [{ host: '::', port: 8080 }, 'http://[::1]:8080'],
  [{ host: '::1', port: 8080 }, 'http://[::1]:8080'],
  [{ host: '::1', port: 8080, publicUrl: 'https://example.com/precedent//' }, 'https://example.com/precedent'],
])('a link leads to where people open a service of %j', (config, address) => {
  const url = new URL(fileUrl(link, { secrets, config }))
  expect(url.href.startsWith(`${address}/knowledge/upload?token=`)).toBe(true)
  const query = Object.fromEntries(url.searchParams)
  expect(openFileLink(query, secrets, 999)).toEqual(link)
  expect(openFileLink(query, secrets, 1_000)).toBeUndefined()
})
