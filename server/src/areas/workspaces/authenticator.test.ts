import { describe, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { createSecrets } from '../../platform/secret.ts'
import { createAuthenticator } from './authenticator.ts'

const service = await startService()
const ws = await newWorkspace(service)
const other = await newWorkspace(service)

const KEY_OPERATION = '/v2/workspace/domains/get'
const WORKSPACE_OPERATION = '/v2/workspace/apikeys/get'
const key = ws.keyHeaders['x-service-api-key'] ?? ''
const token = ws.keyHeaders['x-service-auth-token'] ?? ''
const otherToken = other.keyHeaders['x-service-auth-token'] ?? ''

async function fails(path: string, headers: Record<string, string>, data: unknown = {}) {
  const { status, body } = await service.call(path, data, headers)
  return { http: status, status: body.error.status, message: body.error.message }
}

describe('API key level', () => {
  const invalid = { http: 403, status: 'PERMISSION_DENIED', message: 'Invalid API key or auth token.' }

  test.each([
    ['no headers', {}, 'x-service-api-key'],
    ['no API key', { 'x-service-auth-token': token }, 'x-service-api-key'],
    ['an empty API key', { 'x-service-api-key': '', 'x-service-auth-token': token }, 'x-service-api-key'],
    ['no auth token', { 'x-service-api-key': key }, 'x-service-auth-token'],
    ['an empty auth token', { 'x-service-api-key': key, 'x-service-auth-token': '' }, 'x-service-auth-token'],
  ])('%s: INVALID_ARGUMENT that names the header', async (_, headers, missing) => {
    const failure = await fails(KEY_OPERATION, headers)
    expect(failure).toMatchObject({ http: 400, status: 'INVALID_ARGUMENT' })
    expect(failure.message).toContain(missing)
  })

  test.each([
    ['an unknown API key', 'A'.repeat(20), token],
    ['an API key that cannot be one', "' or true --", token],
    ['a wrong auth token', key, 'wrong'],
    ["another API key's auth token", key, otherToken],
    ['a workspace auth token', key, ws.authToken],
  ])('%s: PERMISSION_DENIED with the same message', async (_, apiKey, authToken) => {
    expect(await fails(KEY_OPERATION, { 'x-service-api-key': apiKey, 'x-service-auth-token': authToken })).toEqual(
      invalid,
    )
  })

  test('authentication precedes validation', async () => {
    const headers = { 'x-service-api-key': key, 'x-service-auth-token': 'wrong' }
    expect(await fails('/v2/workspace/domains/add', headers, { domains: 5 })).toEqual(invalid)
  })

  test('headers of the alias prefix are accepted, and those of an unknown prefix are not', async () => {
    const named = (prefix: string) => ({ [`${prefix}-api-key`]: key, [`${prefix}-auth-token`]: token })
    expect((await service.call(KEY_OPERATION, {}, named('x-velt'))).status).toBe(200)
    expect((await fails(KEY_OPERATION, named('x-other'))).status).toBe('INVALID_ARGUMENT')
  })

  test('a reset auth token stops working at once, and the new one works', async () => {
    const { keyHeaders, apiKey, workspaceHeaders } = await newWorkspace(service)
    const reset = await service.call('/v2/workspace/authtoken/reset', { apiKey }, workspaceHeaders)
    expect(await fails(KEY_OPERATION, keyHeaders)).toEqual(invalid)
    const fresh = { ...keyHeaders, 'x-service-auth-token': reset.body.result.data.newAuthToken.token }
    expect((await service.call(KEY_OPERATION, {}, fresh)).status).toBe(200)
  })
})

describe('an auth token that has been used', () => {
  const invalid = { http: 403, status: 'PERMISSION_DENIED', message: 'Invalid API key or auth token.' }
  const reset = async ({ apiKey, workspaceHeaders }: TestWorkspace) =>
    (await service.call('/v2/workspace/authtoken/reset', { apiKey }, workspaceHeaders)).body.result.data

  test('stops working at once when it is reset, whatever is wrong with the call besides', async () => {
    const used = await newWorkspace(service)
    expect((await service.call(KEY_OPERATION, {}, used.keyHeaders)).status).toBe(200)
    await reset(used)
    for (const data of [{}, { pageSize: 'many' }, 5]) {
      expect(await fails('/v2/organizations/get', used.keyHeaders, data)).toEqual(invalid)
    }
    const large = { name: 'x'.repeat(service.app.services.config.bodyLimitBytes) }
    expect(await fails('/v2/organizations/get', used.keyHeaders, large)).toEqual(invalid)
    expect(await fails(KEY_OPERATION, used.keyHeaders)).toEqual(invalid)
  })

  test('is refused from the first call on after another process has reset it', async () => {
    const used = await newWorkspace(service)
    expect((await service.call(KEY_OPERATION, {}, used.keyHeaders)).status).toBe(200)
    await service.database.query(sql`delete from auth_token where api_key = ${used.apiKey}`)
    expect(await fails(KEY_OPERATION, used.keyHeaders)).toEqual(invalid)
  })

  test('writes nothing once another process has reset it, whatever the write is', async () => {
    const used = await newWorkspace(service)
    const add = (organizationId: string, more = {}) =>
      service.call('/v2/organizations/add', { organizations: [{ organizationId }] }, { ...used.keyHeaders, ...more })
    expect((await add('before')).status).toBe(200)
    const [stored] = await service.database.query<{ hash: string }>(sql`
      delete from auth_token where api_key = ${used.apiKey} returning *`)
    const again = { 'idempotency-key': 'again' }
    for (const answer of [await add('after'), await add('after', again), await add('before', again)])
      expect(answer.body.error).toMatchObject({ status: 'PERMISSION_DENIED', message: invalid.message })
    const left = await service.database.query(sql`select id from organization where api_key = ${used.apiKey}`)
    expect(left).toEqual([{ id: 'before' }])
    await service.database.query(sql`
      insert into auth_token select * from jsonb_populate_record(null::auth_token, ${stored})`)
    expect((await add('after', again)).status).toBe(200)
  })

  test('writes nothing once its API key is disabled', async () => {
    const used = await newWorkspace(service)
    const add = (organizationId: string) => used.call('/v2/organizations/add', { organizations: [{ organizationId }] })
    expect((await add('before')).status).toBe(200)
    await service.database.query(sql`update api_key set disabled = true where id = ${used.apiKey}`)
    for (const id of ['a', 'b', 'c', 'd']) expect((await add(id)).status).toBe(403)
    const left = await service.database.query(sql`select id from organization where api_key = ${used.apiKey}`)
    expect(left).toEqual([{ id: 'before' }])
  })

  test('writes into the organization that has its id now, where another process has deleted the one before', async () => {
    const used = await newWorkspace(service)
    const add = () => used.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
    await add()
    await service.database.query(sql`
      with retired as (update organization set retired_at = 1 where api_key = ${used.apiKey} returning key)
      update api_key
      set organization_keys = (select jsonb_build_object(key, '00000000-0000-4000-8000-000000000001') from retired)
      where id = ${used.apiKey}`)
    expect(await add()).toMatchObject({ data: { acme: { success: true } } })
    const keys = await service.database.query(sql`
      select key from organization where api_key = ${used.apiKey} and retired_at is null`)
    expect(keys).toEqual([{ key: '00000000-0000-4000-8000-000000000001' }])
  })

  test('reads for its own API key alone', async () => {
    const [one, two] = [await newWorkspace(service), await newWorkspace(service)]
    await one.ok('/v2/organizations/add', { organizations: [{ organizationId: 'of-one' }] })
    const mixed = { ...one.keyHeaders, 'x-service-auth-token': two.keyHeaders['x-service-auth-token'] ?? '' }
    for (const headers of [two.keyHeaders, one.keyHeaders]) {
      const { body } = await service.call('/v2/organizations/get', {}, headers)
      expect(body.result.data.map(({ id }) => id)).toEqual(headers === one.keyHeaders ? ['of-one'] : [])
    }
    expect(await fails('/v2/organizations/get', mixed)).toEqual(invalid)
  })
})

describe('workspace level', () => {
  const id = { 'x-service-workspace-id': ws.id }
  const auth = { 'x-service-workspace-auth-token': ws.authToken }

  test.each([
    ['missing workspace ID header', auth, 'Workspace ID'],
    ['empty workspace ID header', { 'x-service-workspace-id': '', ...auth }, 'Workspace ID'],
    ['missing workspace auth token header', id, 'Workspace auth token'],
    ['empty workspace auth token header', { ...id, 'x-service-workspace-auth-token': '' }, 'Workspace auth token'],
  ])('%s: INVALID_ARGUMENT', async (_, headers, missing) => {
    const failure = await fails(WORKSPACE_OPERATION, headers)
    expect(failure).toMatchObject({ http: 400, status: 'INVALID_ARGUMENT' })
    expect(failure.message).toContain(missing)
  })

  test.each(['ws_unknown', '%'])('unknown workspace %s: NOT_FOUND', async (workspaceId) => {
    const failure = await fails(WORKSPACE_OPERATION, { 'x-service-workspace-id': workspaceId, ...auth })
    expect(failure).toMatchObject({ http: 404, status: 'NOT_FOUND' })
  })

  test.each([
    ['a wrong token', 'wrong'],
    ["another workspace's token", other.authToken],
    ["an API key's token", token],
  ])('%s: UNAUTHENTICATED', async (_, wrong) => {
    const failure = await fails(WORKSPACE_OPERATION, { ...id, 'x-service-workspace-auth-token': wrong })
    expect(failure).toMatchObject({ http: 401, status: 'UNAUTHENTICATED' })
  })

  test('headers of the alias prefix are accepted', async () => {
    const headers = { 'x-velt-workspace-id': ws.id, 'x-velt-workspace-auth-token': ws.authToken }
    expect((await service.call(WORKSPACE_OPERATION, {}, headers)).status).toBe(200)
  })
})

describe('workspace get', () => {
  test('data is required', async () => {
    const response = await fetch(`${service.url}/v2/workspace/get`, { method: 'POST', headers: ws.workspaceHeaders })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { status: 'INVALID_ARGUMENT', details: { issues: [{ path: 'data' }] } },
    })
  })

  test('at most 60 calls per minute and workspace, then RESOURCE_EXHAUSTED that advises retry after 1 minute', async () => {
    const busy = await newWorkspace(service)
    for (let i = 0; i < 60; i++) await service.call('/v2/workspace/get', {}, busy.workspaceHeaders)
    const refused = await service.call('/v2/workspace/get', {}, busy.workspaceHeaders)
    expect(refused.status).toBe(429)
    expect(refused.body.error).toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      message: expect.stringContaining('1 minute'),
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await service.call('/v2/workspace/get', {}, other.workspaceHeaders)).status).toBe(200)
  })

  test('nobody without its token can exhaust the limit of a workspace', async () => {
    const quiet = await newWorkspace(service)
    const headers = { ...quiet.workspaceHeaders, 'x-service-workspace-auth-token': 'wrong' }
    for (let i = 0; i < 61; i++) await service.call('/v2/workspace/get', {}, headers)
    expect((await service.call('/v2/workspace/get', {}, quiet.workspaceHeaders)).status).toBe(200)
  })
})

test('a process that lacks the master key of a stored token is told of each refusal that this causes', async () => {
  const headers = { ...ws.keyHeaders, ...ws.workspaceHeaders } as Record<string, string>
  const credentials = {
    header: (name: string) => headers[`x-service-${name}`],
    nameOf: (name: string) => name,
    bearer: undefined,
  }
  const told: string[] = []
  const { checks } = service.database
  const later = createSecrets([{ id: 'later', key: Buffer.alloc(32, 9) }])
  const lacking = createAuthenticator(checks, later, () => told.push('lacking'))
  await expect(lacking.apiKey(credentials)).rejects.toThrow('Invalid API key')
  await expect(lacking.workspace(credentials)).rejects.toThrow('Invalid auth token')
  expect(told).toEqual(['lacking', 'lacking'])
  const whole = createAuthenticator(checks, service.app.services.secrets, () => told.push('whole'))
  headers['x-service-auth-token'] = 'wrong'
  await expect(whole.apiKey(credentials)).rejects.toThrow('Invalid API key')
  expect(told).toHaveLength(2)
})
