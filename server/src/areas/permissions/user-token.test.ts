import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, createRemoteJWKSet, jwtVerify } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { publishedKeys } from '../../platform/signing-key.ts'

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
