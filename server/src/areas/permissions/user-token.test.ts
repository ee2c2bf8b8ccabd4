import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, createRemoteJWKSet, jwtVerify } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import {
  newWorkspace,
  type Service,
  startConfigured,
  startService,
  type TestWorkspace,
} from '../../../test/running-service.ts'
import { publishedKeys } from '../../platform/keys/signing-key.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

const userProperties = { name: 'Ada', email: 'ada@example.com', isAdmin: true }
const verify = async (token: string) =>
  jwtVerify(token, createLocalJWKSet(await publishedKeys(service.database)), { audience: ws.apiKey })

test('generate_token adds the user with its permissions and issues a token for 48 hours', async () => {
  const organizationId = randomUUID()
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId }] })
  const resources = [{ type: 'organization', id: organizationId, accessRole: 'viewer' }]
  const { data } = await ws.ok('/v2/auth/generate_token', { userId: 'ada', userProperties, permissions: { resources } })
  const { payload } = await verify(data.token)
  const { iat = 0, exp = 0 } = payload
  expect(payload).toMatchObject({ sub: 'ada', userId: 'ada', apiKey: ws.apiKey, ...userProperties })
  expect(exp - iat).toBe(48 * 3600)
  expect((await ws.ok('/v2/users/get', { organizationId })).data).toMatchObject([
    { userId: 'ada', ...userProperties, accessRole: 'viewer' },
  ])
})

test('generate_token for a resource that does not exist is NOT_FOUND', async () => {
  const resources = [{ type: 'organization', id: randomUUID() }]
  const call = await ws.call('/v2/auth/generate_token', { userId: 'a', userProperties, permissions: { resources } })
  expect(call.body.error.status).toBe('NOT_FOUND')
})

test.each(['/v1', '/v2'] as const)('%s/auth/token/get takes the credentials from the body', async (version) => {
  const authToken = ws.keyHeaders['x-service-auth-token']
  const body = { apiKey: ws.apiKey, authToken, userId: 'ada', userProperties: { organizationId: 'o', email: 'a@b.c' } }
  const answer = await service.call(`${version}/auth/token/get`, body)
  const { payload } = await verify(answer.body.result.data.token)
  expect(payload).toMatchObject({ sub: 'ada', organizationId: 'o', email: 'a@b.c', isAdmin: false })
  for (const wrong of [{ authToken: 'wrong' }, { apiKey: 'unknown' }]) {
    const refused = await service.call(`${version}/auth/token/get`, { ...body, ...wrong })
    expect(refused.body.error.status).toBe('PERMISSION_DENIED')
  }
  const missing = await service.call(`${version}/auth/token/get`, { ...body, authToken: undefined })
  expect(missing.body.error.status).toBe('INVALID_ARGUMENT')
})

test('anyone finds the public keys, and nothing but those, at /.well-known/jwks.json', async () => {
  await ws.ok('/v2/auth/generate_token', { userId: 'u', userProperties, permissions: { resources: [] } })
  const answer = await fetch(`${service.url}/.well-known/jwks.json`)
  const { keys } = (await answer.json()) as { keys: object[] }
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  const { data } = await ws.ok('/v2/auth/generate_token', {
    userId: 'u',
    userProperties,
    permissions: { resources: [] },
  })
  const remote = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
  expect((await jwtVerify(data.token, remote)).payload.sub).toBe('u')
})

const tokenRequest = () => ({
  apiKey: ws.apiKey,
  authToken: ws.keyHeaders['x-service-auth-token'],
  userId: 'ada',
  userProperties: { organizationId: 'o' },
})
const issue = (data: object, headers: Record<string, string> = {}) => service.call('/v2/auth/token/get', data, headers)

test('only the documented fields of userProperties become claims; sub and userId are always those of the request', async () => {
  const forged = { sub: 'root', userId: 'root', aud: 'other', apiKey: 'other', iss: 'x', exp: 9e9, role: 'boss' }
  const { body } = await issue({ ...tokenRequest(), userProperties: { organizationId: 'o', ...forged } })
  const { payload } = await verify(body.result.data.token)
  expect(payload).toEqual({
    userId: 'ada',
    organizationId: 'o',
    isAdmin: false,
    apiKey: ws.apiKey,
    sub: 'ada',
    aud: ws.apiKey,
    iss: 'https://precedent.test',
    iat: expect.any(Number),
    exp: expect.any(Number),
  })
})

test('auth/token/get needs no userProperties', async () => {
  const { body } = await issue({ ...tokenRequest(), userProperties: undefined })
  const { payload } = await verify(body.result.data.token)
  expect(payload).toMatchObject({ sub: 'ada', userId: 'ada', isAdmin: false })
  expect(payload).not.toHaveProperty('organizationId')
})

test('iss is precedent where PUBLIC_URL is not set', async () => {
  const plain = await startConfigured({ PUBLIC_URL: '' })
  const { body } = await plain.call('/v2/auth/token/get', tokenRequest())
  expect((await verify(body.result.data.token)).payload.iss).toBe('precedent')
  await plain.app.http.close()
})

test('generate_token needs no email', async () => {
  const permissions = { resources: [] }
  const { data } = await ws.ok('/v2/auth/generate_token', { userId: 'bo', userProperties: { name: 'Bo' }, permissions })
  const { payload } = await verify(data.token)
  expect(payload).toMatchObject({ sub: 'bo', name: 'Bo' })
  expect(payload).not.toHaveProperty('email')
})

test.each(['x-service', 'x-velt'])('auth/token/get takes the credentials from %s headers', async (prefix) => {
  const { apiKey, authToken, ...rest } = tokenRequest()
  const headers = { [`${prefix}-api-key`]: apiKey, [`${prefix}-auth-token`]: authToken ?? '' }
  const { body } = await issue(rest, headers)
  expect((await verify(body.result.data.token)).payload.sub).toBe('ada')
  const { status, body: missing } = await issue(rest, { [`${prefix}-api-key`]: apiKey })
  expect(status).toBe(400)
  expect(missing.error.message).toBe(`authToken is required, here or as the header ${prefix}-auth-token`)
  const wrong = await issue(rest, { ...headers, [`${prefix}-auth-token`]: 'wrong' })
  expect(wrong.body.error.status).toBe('PERMISSION_DENIED')
})

test('credentials in body and headers must agree', async () => {
  const other = await newWorkspace(service)
  expect((await issue(tokenRequest(), ws.keyHeaders)).status).toBe(200)
  const { status, body } = await issue(tokenRequest(), other.keyHeaders)
  expect([status, body.error.status]).toEqual([403, 'PERMISSION_DENIED'])
})

test('an error about a header names the family that the caller used', async () => {
  const message = async (headers: Record<string, string>) =>
    (await service.call('/v2/users/get', {}, headers)).body.error.message
  expect(await message({ 'x-velt-api-key': ws.apiKey })).toContain('x-velt-auth-token is required')
  expect(await message({ 'x-service-api-key': ws.apiKey })).toContain('x-service-auth-token is required')
  expect(await message({})).toContain('x-service-api-key is required')
})
