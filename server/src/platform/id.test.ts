import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { keptBytes } from '../../test/measuring/kept-bytes.ts'
import {
  hexId,
  keyOf,
  newActivityId,
  newApiKey,
  newAuthToken,
  newEndpointId,
  newRequestId,
  newSigningSecret,
  newWorkspaceId,
  randomId,
} from './id.ts'

test('ids and tokens have the formats of the contract', () => {
  expect(newWorkspaceId()).toMatch(/^ws_[0-9a-z]{26}$/)
  expect(newEndpointId()).toMatch(/^ep_[0-9a-z]{26}$/)
  expect(newActivityId()).toMatch(/^act_[0-9a-z]{26}$/)
  expect(newRequestId()).toMatch(/^req_[0-9a-z]{26}$/)
  expect(newApiKey()).toMatch(/^[A-Za-z0-9]{20}$/)
  expect(newAuthToken()).toMatch(/^[A-Za-z0-9]{43}$/)
  const secret = newSigningSecret()
  expect(secret).toMatch(/^whsec_/)
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(24)
})

test('ids do not repeat', () => {
  const ids = Array.from({ length: 5000 }, () => randomId('x_'))
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids sort in the order of their creation', () => {
  vi.useFakeTimers()
  try {
    const ids = [1, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1].map((now) => {
      vi.setSystemTime(now)
      return randomId('')
    })
    expect([...ids].sort()).toEqual(ids)
  } finally {
    vi.useRealTimers()
  }
})

test('the key of an id is the head of its SHA-256 as a uuid, whatever the id', () => {
  for (const id of ['a', '', 'ü', '𝒳'.repeat(256), '__proto__']) {
    expect(keyOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(keyOf(id).replaceAll('-', '')).toBe(createHash('sha256').update(id, 'utf8').digest('hex').slice(0, 32))
  }
})

test('the key of an id stays the same while more ids are remembered and forgotten than there is room for', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `id-${i % 9_000}`)
  const keyed = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 32)
  expect(ids.filter((id) => keyOf(id).replaceAll('-', '') !== keyed(id))).toEqual([])
})

test('a remembered id keeps nothing of the text that it was cut from', () => {
  const kept = keptBytes(() => {
    for (let i = 0; i < 300; i++) keyOf(`${'x'.repeat(200_000)} a-long-id-of-its-own-${i}`.slice(200_001))
  })
  expect(kept).toBeLessThan(20_000_000)
})

test('a hex id is stable, and differs by kind, API key and id even where their texts run together', () => {
  expect(hexId('user', 'key', 'u1')).toBe(hexId('user', 'key', 'u1'))
  expect(hexId('user', 'key', 'u1')).toMatch(/^[0-9a-f]{32}$/)
  const ids = [
    hexId('user', 'key', 'u1'),
    hexId('user', 'keyu', '1'),
    hexId('group', 'key', 'u1'),
    hexId('user', '', 'keyu1'),
  ]
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids made one after another sort in that order, also within a millisecond', () => {
  const ids = Array.from({ length: 5000 }, () => randomId('x_'))
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})
