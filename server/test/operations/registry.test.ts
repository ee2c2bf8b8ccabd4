import { beforeAll, describe, expect, test } from 'vitest'
import { registry } from '../../src/operations.ts'
import { listOperations, pathsOf } from '../../src/platform/operation.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../running-service.ts'

const operations = listOperations(registry)
const withApiKey = operations.filter(({ declaration }) => declaration.auth === 'apiKey')
const ofWorkspace = operations.filter(({ declaration }) => declaration.auth === 'workspace')

let service: Service
let mine: TestWorkspace
let other: TestWorkspace

beforeAll(async () => {
  service = await startService()
  mine = await newWorkspace(service)
  other = await newWorkspace(service)
})

const headersFor = (auth: string) =>
  auth === 'workspace' ? mine.workspaceHeaders : auth === 'apiKey' ? mine.keyHeaders : {}

async function raw(path: string, init: RequestInit) {
  const response = await fetch(service.url + path, { method: 'POST', ...init })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

describe.each(withApiKey)('$declaration.path', ({ declaration: { path } }) => {
  test('a missing or empty header is INVALID_ARGUMENT', async () => {
    const { 'x-service-api-key': key = '', 'x-service-auth-token': token = '' } = mine.keyHeaders
    for (const headers of [
      {},
      { 'x-service-api-key': key },
      { 'x-service-auth-token': token },
      { 'x-service-api-key': '', 'x-service-auth-token': token },
    ]) {
      const answer = await service.call(path, {}, headers as Record<string, string>)
      expect([answer.status, answer.body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    }
  })

  test('an unknown key, a wrong token and the token of another key get the same PERMISSION_DENIED, whatever the body', async () => {
    const messages = new Set<string>()
    for (const [key, token] of [
      ['nobody', 'nothing'],
      [mine.apiKey, 'nothing'],
      [mine.apiKey, other.keyHeaders['x-service-auth-token']],
      ["' or true --", 'x'],
    ]) {
      const headers = { 'x-service-api-key': key ?? '', 'x-service-auth-token': token ?? '' }
      const answer = await raw(path, { headers: { ...headers, 'content-type': 'application/json' }, body: '{bad' })
      expect([answer.status, answer.body.error.status, answer.body.error.code]).toEqual([403, 'PERMISSION_DENIED', 403])
      messages.add(answer.body.error.message)
    }
    expect(messages.size).toBe(1)
  })
})

describe.each(ofWorkspace)('$declaration.path', ({ declaration: { path } }) => {
  test('a missing header is INVALID_ARGUMENT, an unknown workspace NOT_FOUND, a wrong token UNAUTHENTICATED', async () => {
    const id = { 'x-service-workspace-id': mine.id }
    const token = { 'x-service-workspace-auth-token': mine.authToken }
    expect((await service.call(path, {}, id)).body.error.status).toBe('INVALID_ARGUMENT')
    expect((await service.call(path, {}, token)).body.error.status).toBe('INVALID_ARGUMENT')
    const unknown = await service.call(path, {}, { ...token, 'x-service-workspace-id': 'ws_nobody' })
    expect([unknown.status, unknown.body.error.status]).toEqual([404, 'NOT_FOUND'])
    const wrong = await service.call(path, {}, { ...id, 'x-service-workspace-auth-token': other.authToken })
    expect([wrong.status, wrong.body.error.status]).toEqual([401, 'UNAUTHENTICATED'])
  })
})

describe.each(operations)('$declaration.path', ({ declaration }) => {
  const { path, auth, input } = declaration
  const json = () => ({ ...headersFor(auth), 'content-type': 'application/json' })

  test('malformed JSON, a body without data, and data that is no object are INVALID_ARGUMENT', async () => {
    for (const body of ['{', '[]', '7', 'null', '{}', '{"data":null}', '{"data":[]}', '{"data":"x"}', '\ufffe']) {
      const answer = await raw(path, { headers: json(), body })
      expect([body, answer.status, answer.body.error?.status]).toEqual([body, 400, 'INVALID_ARGUMENT'])
      expect(Array.isArray(answer.body.error.details.issues)).toBe(true)
    }
  })

  test('a missing body is accepted where no parameter is required', async () => {
    const required = (input as { required?: string[] }).required ?? []
    const answer = await raw(path, { headers: headersFor(auth) })
    if (required.length === 0 && !declaration.requiresData)
      expect(answer.body.error?.details?.issues?.[0]?.path).not.toBe('data')
    else expect([answer.status, answer.body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  })

  test('a missing required field is INVALID_ARGUMENT naming it', async () => {
    const [first] = (input as { required?: string[] }).required ?? []
    if (first === undefined) return
    const answer = await service.call(path, {}, headersFor(auth))
    expect(answer.body.error.message).toBe(`${first} is required`)
    expect(answer.body.error.details.issues[0]).toEqual({ path: first, message: 'is required' })
  })

  test('a wrong content type is 415, another method 405 with Allow: POST', async () => {
    const wrong = await raw(path, {
      headers: { ...headersFor(auth), 'content-type': 'text/plain' },
      body: '{"data":{}}',
    })
    expect([wrong.status, wrong.body.error.status]).toEqual([415, 'INVALID_ARGUMENT'])
    const get = await fetch(service.url + path)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('every answer carries x-request-id, the caller’s own if it is sane', async () => {
    const own = await raw(path, { headers: { ...json(), 'x-request-id': 'trace-7' }, body: '{' })
    expect(own.headers.get('x-request-id')).toBe('trace-7')
    const made = await raw(path, { headers: { ...json(), 'x-request-id': 'not sane!' }, body: '{' })
    expect(made.headers.get('x-request-id')).toMatch(/^req_/)
  })
})

test('each operation has a summary and a message', () => {
  for (const { name, declaration } of operations) {
    expect(declaration.summary, name).toMatch(/^[A-Z]/)
    if (!declaration.bare) expect(declaration.message, name).not.toBe('')
  }
})

test('no two operations share a name or a path', () => {
  const names = operations.map(({ name }) => name)
  const paths = operations.flatMap(pathsOf)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(paths).size).toBe(paths.length)
})

test('an unknown path is NOT_FOUND', async () => {
  const answer = await raw('/v2/nothing/here', { body: '{"data":{}}', headers: { 'content-type': 'application/json' } })
  expect([answer.status, answer.body.error.status]).toEqual([404, 'NOT_FOUND'])
})
