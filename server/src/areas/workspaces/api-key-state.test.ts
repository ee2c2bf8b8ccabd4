import { beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { raw, sql } from '../../platform/db/db.ts'
import { tenantTables } from '../../platform/db/tenant-tables.ts'

const service = await startService()
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const call = <Path extends string>(path: Path, data: unknown) => service.call(path, data, ws.workspaceHeaders)
const setDisabled = (disabled: boolean, apiKey = ws.apiKey) => call('/v2/workspace/apikey/update', { apiKey, disabled })
const remove = (apiKey = ws.apiKey) => call('/v2/workspace/apikey/delete', { apiKey })
const listed = async () => (await call('/v2/workspace/apikeys/get', {})).body.result.data.map(({ id }) => id)

describe('authtoken/reset', () => {
  test('workspace: true resets the own token of the workspace, and the old one stops working at once', async () => {
    const { body } = await call('/v2/workspace/authtoken/reset', { workspace: true })
    const { token } = body.result.data.newAuthToken
    expect(body.result.data).toEqual({ workspaceId: ws.id, newAuthToken: { token } })
    expect((await call('/v2/workspace/get', {})).body.error.status).toBe('UNAUTHENTICATED')
    const fresh = { ...ws.workspaceHeaders, 'x-service-workspace-auth-token': token }
    const read = await service.call('/v2/workspace/get', {}, fresh)
    expect(read.body.result.data).toMatchObject({ id: ws.id, authToken: token })
    expect((await ws.call('/v2/workspace/domains/get')).status).toBe(200)
  })

  test.each([{}, { workspace: true, apiKey: 'x' }, { workspace: false }])(
    'apiKey or workspace: true, exactly one of them: %j is INVALID_ARGUMENT',
    async (data) => {
      expect((await call('/v2/workspace/authtoken/reset', data)).body.error.status).toBe('INVALID_ARGUMENT')
    },
  )
})

describe('a disabled key', () => {
  test('answers PERMISSION_DENIED at once, also to who has just used it, and works again when it is enabled', async () => {
    const paths = ['/v2/workspace/domains/get', '/v2/organizations/get', '/v2/users/add']
    expect((await ws.call('/v2/organizations/get', {})).status).toBe(200)
    await setDisabled(true)
    for (const path of paths) {
      const { status, body } = await ws.call(path, {})
      expect([status, body.error]).toMatchObject([403, { status: 'PERMISSION_DENIED' }])
    }
    const { 'x-service-auth-token': authToken } = ws.keyHeaders
    const token = { apiKey: ws.apiKey, authToken, userId: 'u', userProperties: { organizationId: 'o' } }
    expect((await service.call('/v2/auth/token/get', token)).status).toBe(403)
    await setDisabled(false)
    expect((await ws.call('/v2/organizations/get', {})).status).toBe(200)
  })

  test('a wrong token does not learn that the key is disabled', async () => {
    await setDisabled(true)
    const headers = { ...ws.keyHeaders, 'x-service-auth-token': 'wrong' }
    const { body } = await service.call('/v2/organizations/get', {}, headers)
    expect(body.error.message).toBe('Invalid API key or auth token.')
  })

  test('the workspace sees that it is disabled', async () => {
    const key = { id: ws.apiKey, disabled: true }
    await setDisabled(true)
    expect((await call('/v2/workspace/apikeys/get', {})).body.result.data).toMatchObject([key])
    expect((await call('/v2/workspace/get', {})).body.result.data.apiKeyList[ws.apiKey]).toMatchObject(key)
  })

  test('apikey/update needs a name or disabled', async () => {
    const { body } = await call('/v2/workspace/apikey/update', { apiKey: ws.apiKey })
    expect(body.error.status).toBe('INVALID_ARGUMENT')
  })
})

describe('apikey/delete', () => {
  test('an enabled key is FAILED_PRECONDITION, and nothing changes', async () => {
    const { status, body } = await remove()
    expect([status, body.error.status]).toEqual([400, 'FAILED_PRECONDITION'])
    expect((await ws.call('/v2/organizations/get', {})).status).toBe(200)
  })

  test('an unknown key and one of another workspace are NOT_FOUND', async () => {
    const other = await newWorkspace(service)
    for (const apiKey of ['A'.repeat(20), other.apiKey]) expect((await remove(apiKey)).status).toBe(404)
  })

  test('answers 202, hides the key at once, and removes all its data and nothing else', async () => {
    const other = await newWorkspace(service)
    for (const each of [ws, other]) await fill(each)
    await service.drainJobs()
    const before = await rowsOf(other.apiKey)
    expect(await rowsOf(ws.apiKey)).toEqual(before)
    await setDisabled(true)
    const { status, body } = await remove()
    expect([status, body.result]).toEqual([
      202,
      { status: 'success', message: 'API key deletion has been initiated.', data: null },
    ])
    expect(await listed()).toEqual([])
    expect((await setDisabled(false)).status).toBe(404)
    expect((await remove()).status).toBe(404)
    expect((await ws.call('/v2/organizations/get', {})).body.error.message).toBe('Invalid API key or auth token.')
    await service.drainJobs()
    service.clock.ahead += 180_000
    await service.drainJobs()
    expect(await rowsOf(ws.apiKey)).toEqual([])
    expect(await service.database.query(sql`select id from api_key where id = ${ws.apiKey}`)).toEqual([])
    expect(await service.database.query(sql`select 1 from idempotency_key where owner = ${ws.apiKey}`)).toEqual([])
    expect(await service.database.query(sql`select from recent_request where api_key = ${ws.apiKey}`)).toEqual([])
    expect(await rowsOf(other.apiKey)).toEqual(before)
  })

  test('data beyond one batch goes too', async () => {
    await service.database.query(sql`
      insert into allowed_domain (api_key, domain)
      select ${ws.apiKey}, 'd' || n || '.example' from generate_series(1, 2500) n`)
    await setDisabled(true)
    await remove()
    await service.drainJobs()
    service.clock.ahead += 180_000
    await service.drainJobs()
    expect(await rowsOf(ws.apiKey)).toEqual([])
  })
})

test('a workspace has at most 1,000 keys, then RESOURCE_EXHAUSTED', async () => {
  await service.database.query(sql`
    insert into api_key (id, workspace_id, owner_email, name, type)
    select ${ws.apiKey} || 'x' || n, ${ws.id}, 'jane@example.com', 'n', 'testing' from generate_series(1, 998) n`)
  const create = () => call('/v2/workspace/apikey/create', { ownerEmail: 'jane@example.com', type: 'testing' })
  const answers = await Promise.all([create(), create()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429])
  expect((await create()).body.error.status).toBe('RESOURCE_EXHAUSTED')
})

async function fill({ ok, keyHeaders }: TestWorkspace): Promise<void> {
  const place = { organizationId: 'acme', documentId: 'plan', createOrganization: true, createDocument: true }
  const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }
  await ok('/v2/users/add', { organizationId: 'acme', users: [from] })
  await ok('/v2/workspace/domains/add', { domains: ['acme.com'] })
  await ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  await ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  await ok('/v2/workspace/advancedwebhook/endpoints/create', { url: 'http://127.0.0.1:9/none' })
  const commentAnnotations = [{ annotationId: 'a', commentData: [{ commentText: 'Look', from, commentId: 1 }] }]
  await ok('/v2/commentannotations/add', { ...place, commentAnnotations })
  const reactions = [{ reactionId: 'r', icon: 'HEART', from }]
  await ok('/v2/reactions/add', { ...place, annotationId: 'a', commentId: 1, reactions })
  const updatedData = { status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' } }
  const change = { organizationId: 'acme', documentId: 'plan', annotationIds: ['a'], updatedData, actionUser: from }
  await ok('/v2/commentannotations/update', change)
  const headers = { ...keyHeaders, 'idempotency-key': 'once' }
  await service.call('/v2/users/add', { organizationId: 'acme', users: [from] }, headers)
}

/**
 * The tables that hold rows of a key, apart from the queue, which workers change, and the sample of recent requests,
 * which is written a moment later.
 */
async function rowsOf(apiKey: string): Promise<string[]> {
  const holding = []
  for (const table of await tenantTables(service.database)) {
    if (table === 'recent_request') continue
    const [row] = await service.database.query(sql`select 1 from ${raw(table)} where api_key = ${apiKey} limit 1`)
    if (row) holding.push(table)
  }
  return holding
}
