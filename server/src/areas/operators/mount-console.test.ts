import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  askAsMachine,
  askConsole,
  type ConsoleBody,
  cookieOf,
  forgetAttempts,
  signedIn,
} from '../../../test/console.ts'
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
import { rightOf } from './access/right.ts'
import { mayCall, ROLES, type Role } from './access/role.ts'
import { createMachineToken } from './fence/machine-token.ts'

let service: Service
let workspace: TestWorkspace
let other: TestWorkspace

beforeAll(async () => {
  service = await startService()
  workspace = await newWorkspace(service)
  other = await newWorkspace(service)
})
beforeEach(() => forgetAttempts(service))

const every = [...listOperations(registry), ...listOperations(consoleRegistry)]

test('every operation is classified', () => {
  expect(every.map(({ declaration }) => declaration.path).filter((path) => rightOf(path) === undefined)).toEqual([])
})

/** Those that need a session. The sign-out comes last, because it ends it. */
const offered = every
  .filter(({ declaration: { path } }) => !['anybody', 'nobody'].includes(rightOf(path) ?? ''))
  .sort((one, other) => Number(one.name === 'signOut') - Number(other.name === 'signOut'))

type Ask = (path: string, data: unknown) => Promise<{ status: number; body: ConsoleBody }>

/** Which operations answer otherwise than `expected` says: with another status than 403, or with it. */
async function answersOtherwise(ask: Ask, expected: (path: string, access: string) => boolean): Promise<string[]> {
  const wrong: string[] = []
  for (const { declaration } of offered) {
    const { path, access } = declaration
    // An unknown field type is refused after the role is checked, so nothing is changed.
    const answer = path.startsWith('/console/api/')
      ? await ask(path.slice('/console/api/'.length), { pageSize: 'none', id: 0, email: 0, password: 0 })
      : await ask('call', { apiKey: 'unknown', workspaceId: 'unknown', operation: path, data: {} })
    expect(answer.status, path).toBeLessThan(500)
    if ((answer.status !== 403) !== expected(path, access)) wrong.push(path)
  }
  return wrong
}

describe('every operation answers every role as its right says', () => {
  for (const role of ROLES) {
    test(role, async () => {
      const { ask } = await signedIn(service, role)
      expect(await answersOtherwise(ask, (path) => mayCall(role, path))).toEqual([])
    }, 60_000)
  }

  test('a machine with the operator token, as an operator', async () => {
    const own = await startConfigured({ OPERATOR_TOKEN: 'token-of-the-operator' })
    const ask: Ask = (path, data) => askAsMachine(own, path, data, 'token-of-the-operator')
    expect(await answersOtherwise(ask, (path) => mayCall('operator', path))).toEqual([])
    await own.app.http.close()
  }, 60_000)

  test('nobody without a session', async () => {
    for (const { declaration } of offered) {
      const { path } = declaration
      const answer = path.startsWith('/console/api/')
        ? await askConsole(service, path.slice('/console/api/'.length))
        : await askConsole(service, 'call', { apiKey: workspace.apiKey, operation: path, data: {} })
      expect([path, answer.status]).toEqual([path, 401])
    }
  }, 60_000)

  test('while the console is read-only, no role changes anything but its own session', async () => {
    const readOnly = await startConfigured({ CONSOLE: 'read-only' })
    const { ask } = await signedIn(readOnly, 'operator')
    const mayRead = (path: string, access: string) => access === 'read' || path.startsWith('/console/api/session/')
    expect(await answersOtherwise(ask, mayRead)).toEqual([])
    await readOnly.app.http.close()
  }, 60_000)

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
  test('a developer resets tokens of API keys, but not that of the workspace, which would make an admin', async () => {
    const own = await newWorkspace(service)
    const { ask } = await signedIn(service, 'developer', own.id)
    const reset = (data: object) =>
      ask('call', { workspaceId: own.id, operation: '/v2/workspace/authtoken/reset', data })
    expect((await reset({ apiKey: own.apiKey })).status).toBe(200)
    expect((await reset({ workspace: true })).body.error?.status).toBe('PERMISSION_DENIED')
    expect((await reset({ workspace: true, apiKey: null })).body.error?.status).toBe('PERMISSION_DENIED')
  })

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
    expect(cookie).toMatch(/^precedent_session_\d+=/)
  })

  test('a session that ends, or gets another role, while a body arrives does not count', async () => {
    const removed = await signedIn(service, 'operator')
    const demoted = await signedIn(service, 'operator')
    const tokens = { operation: '/v2/workspace/authtokens/get', apiKey: other.apiKey, data: { apiKey: other.apiKey } }
    const held = [
      await heldBack(removed, 'operators/invite', { email: 'back@example.com', role: 'operator' }),
      await heldBack(removed, 'call', tokens),
      await heldBack(demoted, 'operators/invite', { email: 'back@example.com', role: 'operator' }),
      await heldBack(demoted, 'call', tokens),
    ]
    await service.database.query(sql`delete from operator where email = ${removed.email}`)
    await service.database.query(sql`update operator set role = 'viewer' where email = ${demoted.email}`)
    expect(await Promise.all(held.map((send) => send()))).toEqual([401, 401, 403, 403])
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

  test('an id that no database can hold is no fault of the service', async () => {
    const { ask } = await signedIn(service, 'admin')
    for (const id of ['\u0000', '\ud800']) {
      const ofKey = await ask('call', { apiKey: id, operation: '/v2/users/get' })
      const ofWorkspace = await ask('call', { workspaceId: id, operation: '/v2/workspace/get' })
      expect([ofKey, ofWorkspace].map(({ body }) => body.error.status)).toEqual(Array(2).fill('INVALID_ARGUMENT'))
    }
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

  test('while the console is read-only, a command on the machine itself goes on, and the token of the operator does not', async () => {
    const readOnly = await startConfigured({ CONSOLE: 'read-only', OPERATOR_TOKEN: 'a-token-of-the-operator' })
    const { secrets, clock } = readOnly.app.services
    const link = (token: string) => askAsMachine(readOnly, 'operators/link', { email: 'machine@example.com' }, token)
    expect((await link(createMachineToken(secrets, clock.now()))).status).toBe(200)
    expect((await link('a-token-of-the-operator')).body.error.message).toContain('read-only')
    await readOnly.app.http.close()
  })
})

/**
 * Sends a request without the end of its body, until its session was looked up. Returns a function that sends the end,
 * and returns the status of the answer.
 */
async function heldBack({ cookie, hash }: { cookie: string; hash: string }, path: string, data: object) {
  await service.database.query(sql`update operator_session set seen_at = now_ms() - 120000 where hash = ${hash}`)
  const { readable, writable } = new TextEncoderStream()
  const writer = writable.getWriter()
  const text = JSON.stringify(data)
  const answer = fetch(`${service.url}/console/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-precedent-console': '1', cookie },
    body: readable,
    duplex: 'half',
  } as RequestInit)
  await writer.write(text.slice(0, 5))
  await vi.waitFor(async () => {
    const [seen] = await service.database.query(sql`
      select from operator_session where hash = ${hash} and seen_at > now_ms() - 60000`)
    expect(seen).toBeDefined()
  })
  return async () => {
    await writer.write(text.slice(5))
    await writer.close()
    return (await answer).status
  }
}

test('a long body is parsed once, in pieces', async () => {
  const { ask } = await signedIn(service, 'operator')
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`organizationI${i}`, i]))
  const body = { operation: '/v2/users/get', apiKey: workspace.apiKey, data: { organizationId: 'acme', ...many } }
  const parse = vi.spyOn(JSON, 'parse')
  const { status } = await ask('call', body)
  const lengths = parse.mock.calls.map(([text]) => text.length)
  vi.restoreAllMocks()
  expect(status).not.toBe(500)
  expect(Math.max(...lengths)).toBeLessThan(100_000)
  expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(1.5 * JSON.stringify(body).length)
})
