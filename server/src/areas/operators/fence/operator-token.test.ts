import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  askAsMachine,
  askConsole,
  byHttps,
  cookieOf,
  endMinuteOfRefusals,
  forgetAttempts,
} from '../../../../test/console.ts'
import { temporaryDirectory } from '../../../../test/process.ts'
import { newWorkspace, type Service, startConfigured, startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'

const TOKEN = 'a-token-of-the-operator'

let shared: Service
let service: Service

beforeAll(async () => {
  shared = await startService()
  service = await startConfigured({ OPERATOR_TOKEN: TOKEN, TRUST_PROXY: '127.0.0.1' })
  return () => service.app.http.close()
})
beforeEach(() => forgetAttempts(service))

const auditFrom = (address: string) =>
  service.database.query(sql`
    select actor, role, door, action, detail from audit_record where address = ${address} order by seq`)

describe('the operator token at the console', () => {
  const from = byHttps('203.0.113.20')
  const signIn = (operatorToken: string, headers = from) =>
    askConsole(service, 'session/sign-in', { operatorToken }, headers)

  test('signs in as operator of the whole installation, and the sign-in is recorded without the token', async () => {
    const answer = await signIn(TOKEN)
    expect(answer.body.result.data).toMatchObject({ operator: { role: 'operator' }, scope: 'all' })
    const ask = (path: string, data: unknown = {}) =>
      askConsole(service, path, data, { ...from, cookie: cookieOf(answer) })
    expect((await ask('operators/list')).status).toBe(200)
    const [record] = await auditFrom('203.0.113.20')
    expect(record).toMatchObject({
      actor: 'operator-token',
      role: 'operator',
      door: 'console',
      action: '/console/api/session/sign-in',
      detail: { by: 'operator token' },
    })
    expect((await ask('session/set-password', { password: 'a new password' })).body.error.status).toBe(
      'FAILED_PRECONDITION',
    )
    expect((await ask('session/sign-out')).status).toBe(200)
    expect((await ask('session/get')).status).toBe(401)
  })

  test('a wrong one is refused, limited and recorded', async () => {
    const address = byHttps('203.0.113.21')
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await signIn(`${TOKEN}${i}`, address)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    await endMinuteOfRefusals(service)
    expect(await auditFrom('203.0.113.21')).toMatchObject([
      { detail: { by: 'operator token', refused: true, attempts: 1 } },
      { detail: { by: 'operator token', refused: true, attempts: 10 } },
    ])
  })

  test('where none is set, none is right', async () => {
    await forgetAttempts(shared)
    for (const operatorToken of ['', TOKEN]) {
      expect((await askConsole(shared, 'session/sign-in', { operatorToken })).status).toBe(401)
    }
    expect((await askAsMachine(shared, 'session/get', {}, TOKEN)).status).toBe(401)
  })

  test('its sessions end when it is changed', async () => {
    const cookie = cookieOf(await signIn(TOKEN))
    const changed = await startConfigured({ OPERATOR_TOKEN: `${TOKEN}-new`, TRUST_PROXY: '127.0.0.1' })
    const get = (of: Service) => askConsole(of, 'session/get', {}, { ...from, cookie })
    expect((await get(service)).status).toBe(200)
    expect((await get(changed)).status).toBe(401)
    await changed.app.http.close()
  })

  test('is read from a file', async () => {
    const directory = await temporaryDirectory()
    const file = join(directory.path, 'operator-token')
    await writeFile(file, `${TOKEN}-in-a-file\n`)
    const own = await startConfigured({ OPERATOR_TOKEN_FILE: file })
    expect((await askAsMachine(own, 'session/get', {}, `${TOKEN}-in-a-file`)).status).toBe(200)
    await own.app.http.close()
    await directory.remove()
  })
})

describe('a machine with the operator token', () => {
  test('calls the operations of the console without a session and without the header of the page', async () => {
    const answer = await askAsMachine(service, 'operators/list', {}, TOKEN)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toBeNull()
    const session = await askAsMachine(service, 'session/get', {}, TOKEN)
    expect(session.body.result.data).toMatchObject({ operator: { role: 'operator' }, scope: 'all' })
  })

  test('reaches the operations of the API, and what it changes is recorded as a call by the API', async () => {
    const { apiKey } = await newWorkspace(shared)
    const add = { organizationId: 'acme', users: [{ userId: 'ada', name: 'Ada' }] }
    const call = { apiKey, operation: '/v2/users/add', data: add }
    const headers = { 'x-forwarded-for': '203.0.113.22' }
    expect((await askAsMachine(service, 'call', call, TOKEN, headers)).status).toBe(200)
    expect(await auditFrom('203.0.113.22')).toMatchObject([
      { actor: 'operator-token', role: 'operator', door: 'api', action: '/v2/users/add' },
    ])
  })

  test('wrong tokens are limited by address and recorded; then even the right one waits, and right ones never count', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.23' }
    const get = (token: string) => askAsMachine(service, 'session/get', {}, token, headers)
    for (let i = 0; i < 15; i++) expect((await get(TOKEN)).status).toBe(200)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await get(`${TOKEN}.`)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect((await get(TOKEN)).status).toBe(429)
    expect((await askAsMachine(service, 'session/get', {}, TOKEN)).status).toBe(200)
    await endMinuteOfRefusals(service)
    expect(await auditFrom('203.0.113.23')).toMatchObject([
      { detail: { by: 'operator token', refused: true, attempts: 1 } },
      { detail: { by: 'operator token', refused: true, attempts: 11 } },
    ])
  })

  test('wrong tokens that come at once do not pass the limit by', async () => {
    const from = byHttps('203.0.113.77')
    const call = (token: string) => askAsMachine(service, 'session/get', {}, token, from)
    // None of them can be counted until the transaction ends.
    const wrong = await service.database.transaction(async (db) => {
      await db.query(sql`lock table refused_sign_in`)
      const asked = Array.from({ length: 10 }, (_, guess) => call(`wrong-${guess}`))
      await vi.waitFor(async () => expect((await call(TOKEN)).status).toBe(429), 20_000)
      return asked
    })
    expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual(Array(10).fill(401))
  })

  test('what a proxy adds to the requests of the page does not count as a token', async () => {
    const answer = await askConsole(service, 'session/get', {}, { authorization: `Bearer ${TOKEN}`, ...byHttps('::1') })
    expect(answer.status).toBe(401)
  })

  test('gets no cookie, so it may call over plain http from elsewhere in the network, where the page is refused', async () => {
    const { statusCode } = await service.app.http.inject({
      method: 'POST',
      url: '/console/api/session/get',
      remoteAddress: '192.168.1.20',
      headers: { host: 'precedent.internal:8080', authorization: `Bearer ${TOKEN}` },
    })
    expect(statusCode).toBe(200)
  })

  test('changes nothing while the console is read-only', async () => {
    const readOnly = await startConfigured({ CONSOLE: 'read-only', OPERATOR_TOKEN: TOKEN })
    const invite = { email: 'never@example.com', role: 'viewer' }
    expect((await askAsMachine(readOnly, 'operators/invite', invite, TOKEN)).status).toBe(403)
    await readOnly.app.http.close()
  })
})
