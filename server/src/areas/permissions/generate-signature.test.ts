import { createHmac } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { verifySignature } from '../../../../client/src/verify-signature.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace
let token: string

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  token = ws.keyHeaders['x-service-auth-token'] ?? ''
})

const permission = { userId: 'u', resourceId: 'd', type: 'document', hasAccess: true }
const sign = async (permissions: unknown[]): Promise<string> =>
  (await ws.ok('/v2/auth/generate_signature', { permissions })).data.signature

test('the signature is the lower-case hex HMAC-SHA256 of the canonical JSON, keyed by the auth token', async () => {
  const canonical = '[{"hasAccess":true,"resourceId":"d","type":"document","userId":"u"}]'
  expect(await sign([permission])).toBe(createHmac('sha256', token).update(canonical).digest('hex'))
})

test('it covers what was sent: unknown fields, nulls and units, in any order of keys', async () => {
  const sent = {
    ...permission,
    accessRole: null,
    expiresAt: 1_700_000_000,
    more: { b: [1e21, -0, 'é€😀\u2028"\\'], a: null },
  }
  const signature = await sign([sent])
  expect(await verifySignature([sent], signature, token)).toBe(true)
  expect(await verifySignature([Object.fromEntries(Object.entries(sent).reverse())], signature, token)).toBe(true)
  for (const other of [
    permission,
    { ...sent, accessRole: undefined },
    { ...sent, expiresAt: sent.expiresAt * 1000 },
    { ...sent, hasAccess: false },
  ]) {
    expect(await verifySignature([other], signature, token)).toBe(false)
  }
})

test('another token, another list or a malformed signature does not verify', async () => {
  const signature = await sign([permission])
  expect(await verifySignature([permission], signature, `${token}x`)).toBe(false)
  expect(await verifySignature([permission, permission], signature, token)).toBe(false)
  expect(await verifySignature([permission], signature.toUpperCase(), token)).toBe(false)
  expect(await verifySignature([permission], '', token)).toBe(false)
})

test('keys are ordered by UTF-16 code units and a key __proto__ counts', async () => {
  const keys = JSON.parse('{"\\ufb33":1,"😀":2,"__proto__":{"x":1},"1":3,"\\r":4}')
  const sent = { ...permission, keys }
  const signature = await sign([sent])
  expect(await verifySignature([sent], signature, token)).toBe(true)
  expect(await verifySignature([{ ...permission, keys: { ...keys, 1: 4 } }], signature, token)).toBe(false)
})

test.each([
  [{ ...permission, type: 'context' }, 'permissions[0].type'],
  [{ ...permission, hasAccess: 'yes' }, 'permissions[0].hasAccess'],
  [{ ...permission, accessRole: 'owner' }, 'permissions[0].accessRole'],
  [{ userId: 'u' }, 'permissions[0].resourceId'],
])('%j is INVALID_ARGUMENT', async (bad, path) => {
  const { body } = await ws.call('/v2/auth/generate_signature', { permissions: [bad] })
  expect(body.error.details.issues[0].path).toBe(path)
})
