import { beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startOn, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../db/db.ts'
import { RecentRequests } from './recent-requests.ts'

const PATH = '/v2/workspace/requests/list'
const REQUEST = {
  apiKey: 'key',
  at: 0,
  operation: '/v2/users/get',
  status: 200,
  durationMs: 1,
  requestId: 'req',
  errorStatus: null,
  message: null,
}

let service: Service
let workspace: TestWorkspace

beforeEach(async () => {
  service = await startService()
  workspace = await newWorkspace(service)
})

async function list(data: object = {}) {
  await service.app.recentRequests.flush()
  return (await workspace.ok(PATH, data)).data
}

test('the latest requests are listed with time, operation, status, duration, request id and the first error', async () => {
  const good = await workspace.call('/v2/organizations/get', {})
  const bad = await workspace.call('/v2/users/get', { organizationId: 7 })
  const since = Date.now() - 60_000
  const [failed, succeeded] = await list()
  expect(succeeded).toEqual({
    time: expect.any(Number),
    operation: '/v2/organizations/get',
    status: 200,
    durationMs: expect.any(Number),
    requestId: good.headers.get('x-request-id'),
    errorStatus: null,
    message: null,
  })
  expect(Number(succeeded?.time)).toBeGreaterThan(since)
  expect(failed).toMatchObject({
    operation: '/v2/users/get',
    status: 400,
    requestId: bad.headers.get('x-request-id'),
    errorStatus: 'INVALID_ARGUMENT',
    message: bad.body.error.message,
  })
  expect(await list({ outcome: 'failed' })).toEqual([failed])
  expect(await list({ operation: '/v2/organizations/get' })).toEqual([succeeded])
})

test('requests that other processes answered are listed too', async () => {
  const other = await startOn(service.database, {})
  await other.call('/v2/organizations/get', {}, workspace.keyHeaders)
  // A process that stops writes what waits.
  await other.app.http.close()
  expect(await list({ operation: '/v2/organizations/get' })).toHaveLength(1)
})

test('many requests are sampled, failures apart from successes, and pages repeat none', async () => {
  await Promise.all(Array.from({ length: 40 }, () => workspace.call('/v2/organizations/get', {})))
  await workspace.call('/v2/organizations/get', { organizationIds: 7 })
  const operation = '/v2/organizations/get'
  const all = await list({ operation })
  expect(all.length).toBeGreaterThanOrEqual(11)
  expect(all.length).toBeLessThan(41)
  expect(all.filter(({ status }) => status === 400)).toHaveLength(1)
  const first = await workspace.ok(PATH, { operation, pageSize: 6 })
  const second = await workspace.ok(PATH, { operation, pageSize: 500, pageToken: first.pageToken })
  expect([...first.data, ...second.data]).toEqual(all)
  expect(second.pageToken).toBeNull()
})

test('neither bodies nor secrets are kept, nor requests with wrong credentials', async () => {
  const secret = 'super-secret-value'
  await workspace.call('/v2/organizations/add', { organizations: [{ organizationId: 'acme', note: secret }] })
  const headers = { ...workspace.keyHeaders, 'x-service-auth-token': 'wrong' }
  expect((await service.call('/v2/users/count', { organizationId: 'acme' }, headers)).status).toBe(403)
  await list()
  const rows = await service.database.query<{ row: string }>(sql`
    select to_jsonb(r)::text as row from recent_request r where api_key = ${workspace.apiKey}`)
  const stored = rows.map(({ row }) => row).join()
  expect(stored).toContain('/v2/organizations/add')
  for (const hidden of [secret, workspace.keyHeaders['x-service-auth-token'] ?? '', '/v2/users/count']) {
    expect(stored).not.toContain(hidden)
  }
})

test('at most 500 requests of a key are kept, for an hour', async () => {
  await service.database.query(sql`
    insert into recent_request (api_key, at, operation, status, duration_ms, request_id)
    select ${workspace.apiKey}, case when n = 600 then 0 else now_ms() end, '/old', 200, 1, 'req_' || n
    from generate_series(1, 600) n`)
  await workspace.call('/v2/organizations/get', {})
  const kept = await list({ pageSize: 500 })
  expect(kept.length).toBeLessThanOrEqual(500)
  expect(kept.some(({ requestId }) => requestId === 'req_600')).toBe(false)
  const rows = await service.database.query(sql`select from recent_request where api_key = ${workspace.apiKey}`)
  expect(rows.length).toBeLessThanOrEqual(502)
})

test('that requests cannot be written is told once, not at each write', async () => {
  const told: object[] = []
  const query = () => Promise.reject(new Error('No space left on device'))
  const requests = new RecentRequests({ query }, { warn: (about: object) => void told.push(about) })
  for (let writes = 0; writes < 5; writes++) {
    requests.note(REQUEST)
    await requests.flush()
  }
  expect(told).toMatchObject([{ failures: 1 }])
})
