import { beforeAll, describe, expect, test } from 'vitest'
import { askConsole, cookieOf, signedIn } from '../../../test/console.ts'
import {
  newWorkspace,
  type Service,
  startConfigured,
  startService,
  type TestWorkspace,
} from '../../../test/running-service.ts'
import { consoleRegistry, registry } from '../../operations.ts'
import { sql } from '../../platform/db/db.ts'
import { listOperations } from '../../platform/operation.ts'
import { createOperatorLink } from './link.ts'
import { rightOf } from './right.ts'
import { mayCall, ROLES, type Role } from './role.ts'

let service: Service
let workspace: TestWorkspace
let other: TestWorkspace

beforeAll(async () => {
  service = await startService()
  workspace = await newWorkspace(service)
  other = await newWorkspace(service)
})

const every = [...listOperations(registry), ...listOperations(consoleRegistry)]

test('every operation is classified', () => {
  expect(every.map(({ declaration }) => declaration.path).filter((path) => rightOf(path) === undefined)).toEqual([])
})

describe('every operation answers every role as its right says', () => {
  const offered = (path: string) => path !== '/console/api/session/sign-in' && rightOf(path) !== 'nobody'
  const changesSession = /\/session\/sign-out$/
  for (const role of ROLES) {
    test(role, async () => {
      const { ask } = await signedIn(service, role)
      const outcomes: [string, boolean][] = []
      for (const { declaration } of every.filter(
        ({ declaration: { path } }) => offered(path) && !changesSession.test(path),
      )) {
        const { path } = declaration
        // An unknown field type is refused after the role is checked, so nothing is changed.
        const answer = path.startsWith('/console/api/')
          ? await ask(path.slice('/console/api/'.length), { pageSize: 'none', id: 0, email: 0, password: 0 })
          : await ask('call', { apiKey: 'unknown', workspaceId: 'unknown', operation: path, data: {} })
        expect(answer.status, path).toBeLessThan(500)
        outcomes.push([path, answer.status !== 403])
      }
      expect(outcomes.filter(([path, admitted]) => admitted !== mayCall(role, path))).toEqual([])
    }, 60_000)
  }

  test('only operators manage operators, and no role below developer reaches a secret', () => {
    const who = (path: string): Role[] => ROLES.filter((role) => mayCall(role, path))
    expect(who('/console/api/operators/invite')).toEqual(['operator'])
    expect(who('/v2/workspace/authtokens/get')).toEqual(['operator', 'admin', 'developer'])
    expect(who('/v2/workspace/advancedwebhook/endpoints/secret/get')).toEqual(['operator', 'admin', 'developer'])
    expect(who('/v2/commentannotations/update')).toEqual(['operator', 'admin', 'reviewer'])
    expect(who('/v2/users/get')).toEqual([...ROLES])
  })
})

describe('the door', () => {
  test('an operation answers through the console exactly as it answers its callers', async () => {
    const organizationId = 'acme'
    const { ask } = await signedIn(service, 'admin')
    const add = { organizationId, users: [{ userId: 'ada', name: 'Ada', email: 'ada@example.com' }] }
    const added = await ask('call', { apiKey: workspace.apiKey, operation: '/v2/users/add', data: add })
    expect(added.status).toBe(200)
    const asked = { apiKey: workspace.apiKey, operation: '/v2/users/get', data: { organizationId } }
    const direct = await workspace.call('/v2/users/get', { organizationId })
    expect((await ask('call', asked)).body).toEqual(direct.body)
  })

  test('a session that has not begun is refused, and so is a call without the header or from another site', async () => {
    expect((await askConsole(service, 'session/get')).body.error.status).toBe('UNAUTHENTICATED')
    const { ask, cookie } = await signedIn(service, 'viewer')
    expect((await ask('session/get')).status).toBe(200)
    expect((await ask('session/get', {}, { 'x-precedent-console': '' })).status).toBe(403)
    for (const site of ['cross-site', 'same-site']) {
      expect((await ask('session/get', {}, { 'sec-fetch-site': site })).status).toBe(403)
    }
    expect((await ask('session/get', {}, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect(cookie).toMatch(/^precedent_session=/)
  })

  test('the token of a workspace opens that workspace alone, as admin', async () => {
    const signIn = { workspaceId: workspace.id, authToken: workspace.authToken }
    const answer = await askConsole(service, 'session/sign-in', signIn)
    expect(answer.body.result.data).toMatchObject({ scope: workspace.id, operator: { role: 'admin' } })
    const cookie = cookieOf(answer)
    const ask = (path: string, data: unknown) => askConsole(service, path, data, { cookie })
    const listed = await ask('workspaces/list', {})
    expect(listed.body.result.data).toMatchObject([{ id: workspace.id, apiKeys: [{ id: workspace.apiKey }] }])
    expect(JSON.stringify(listed.body)).not.toContain(workspace.authToken)
    const users = { operation: '/v2/users/get', data: { organizationId: 'acme' } }
    expect((await ask('call', { ...users, apiKey: other.apiKey })).status).toBe(404)
    expect((await ask('call', { operation: '/v2/workspace/get', workspaceId: other.id })).status).toBe(404)
    const tokens = { operation: '/v2/workspace/authtokens/get', data: { apiKey: other.apiKey } }
    expect((await ask('call', { ...tokens, workspaceId: workspace.id })).status).toBe(404)
    expect((await ask('operators/list', {})).status).toBe(403)
    // A token that is reset ends the sessions that it opened.
    const reset = { operation: '/v2/workspace/apikey/create', data: {} }
    expect((await ask('call', { ...reset, workspaceId: workspace.id })).status).toBe(400)
    await service.database.query(sql`update workspace set token_hash = 'reset' where id = ${workspace.id}`)
    expect((await ask('workspaces/list', {})).status).toBe(401)
  })

  test('workspaces are found by a part of the name or the id of an API key, within what the session reaches', async () => {
    const found = async (search: string, only: string | null) => {
      const { ask } = await signedIn(service, 'viewer', only)
      return (await ask('workspaces/list', { search })).body.result.data
    }
    expect(await found(other.apiKey, null)).toMatchObject([{ id: other.id }])
    expect(await found(other.id.slice(0, -1).toUpperCase(), null)).toMatchObject([{ id: other.id }])
    expect(await found(other.apiKey.slice(0, -1), null)).toEqual([])
    expect(await found(other.apiKey, workspace.id)).toEqual([])
  })

  test('while the console is read-only it changes nothing', async () => {
    const readOnly = await startConfigured({ CONSOLE: 'read-only' })
    const { ask } = await signedIn(readOnly, 'operator')
    expect((await ask('session/get')).body.result.data).toMatchObject({ readOnly: true })
    const add = { apiKey: other.apiKey, operation: '/v2/organizations/add', data: {} }
    expect((await ask('call', add)).body.error.message).toContain('read-only')
    expect((await ask('operators/invite', { email: 'a@example.com', role: 'viewer' })).status).toBe(403)
    expect((await ask('call', { apiKey: other.apiKey, operation: '/v2/memory/stats/get' })).status).toBe(200)
    await readOnly.app.http.close()
  })
})

describe('attacks on the sign-in', () => {
  test('a link works once, and not after its time', async () => {
    const token = await createOperatorLink(service.database, 'once@example.com')
    expect((await askConsole(service, 'session/sign-in', { token })).status).toBe(200)
    expect((await askConsole(service, 'session/sign-in', { token })).status).toBe(401)
    const late = await createOperatorLink(service.database, 'once@example.com')
    await service.database.query(sql`update operator_link set expires_at = now_ms()`)
    expect((await askConsole(service, 'session/sign-in', { token: late })).status).toBe(401)
  })

  test('a cookie from before the sign-in is not taken over', async () => {
    const token = await createOperatorLink(service.database, 'fixed@example.com')
    const planted = `precedent_session=${'a'.repeat(43)}`
    const answer = await askConsole(service, 'session/sign-in', { token }, { cookie: planted })
    expect(cookieOf(answer)).not.toBe(planted)
    expect((await askConsole(service, 'session/get', {}, { cookie: planted })).status).toBe(401)
    expect(answer.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Strict')
  })

  test('a stolen cookie is worth nothing after the sign-out', async () => {
    const { ask } = await signedIn(service, 'operator')
    expect((await ask('session/sign-out')).status).toBe(200)
    expect((await ask('session/get')).status).toBe(401)
  })

  test('a session ends after 12 idle hours', async () => {
    const { ask, hash } = await signedIn(service, 'viewer')
    await service.database.query(sql`
      update operator_session set seen_at = now_ms() - ${12 * 3_600_000 + 1} where hash = ${hash}`)
    expect((await ask('session/get')).status).toBe(401)
  })

  test('guesses are limited by address, and recorded', async () => {
    await service.database.query(sql`delete from rate_limit where key like 'console%'`)
    const guess = { email: 'guessed@example.com', password: 'a wrong password' }
    // Another address than that of the other tests, whose sign-ins it would limit.
    const from = '203.0.113.9'
    const alone = await startConfigured({ TRUST_PROXY: '127.0.0.1' })
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const headers = { 'x-forwarded-for': from, 'x-forwarded-proto': 'https' }
      statuses.push((await askConsole(alone, 'session/sign-in', guess, headers)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    const records = await service.database.query<{ detail: object }>(sql`
      select detail from audit_record where address = ${from} order by seq`)
    expect(records.map(({ detail }) => detail)).toEqual([
      { by: 'password', refused: true, attempts: 1 },
      { by: 'password', refused: true, attempts: 10 },
    ])
    await alone.app.http.close()
  }, 30_000)

  test('over http from elsewhere the console is refused, and over https the cookie is bound to the host', async () => {
    const headers = { host: 'console.example.com', 'x-precedent-console': '1' }
    const refused = await service.app.http.inject({ method: 'POST', url: '/console/api/session/get', headers })
    expect(refused.statusCode).toBe(403)
    expect(refused.json().error.message).toContain('https only')
    const proxied = await startConfigured({ TRUST_PROXY: '127.0.0.1' })
    const token = await createOperatorLink(service.database, 'https@example.com')
    const byProxy = { 'x-forwarded-for': '203.0.113.10', 'x-forwarded-proto': 'https' }
    const answer = await askConsole(proxied, 'session/sign-in', { token }, byProxy)
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-precedent_session=\S+; Path=\/; .*Secure/)
    await proxied.app.http.close()
  })
})
