import { beforeAll, describe, expect, test } from 'vitest'
import { type NamedOperation, pathsOf } from '../../src/platform/operation.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../running-service.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

const SIZE = 4.9 * 1024 * 1024

/** `data` whose text is as long as a body may be, made of `unit` as often as it fits. */
const filled = (before: string, unit: string, after: string) =>
  `{"data":${before}${unit.repeat(Math.floor((SIZE - before.length - after.length) / unit.length))}${after}}`

/** What is refused before it is parsed. */
const UNPARSED = [
  filled('{"a":[', '1,', '1]}'),
  filled('{"a":[', '[],', '[]]}'),
  filled('{', '"aaaaaaaaaaaaaaaaaaaaaaa":{},', '"b":1}'),
  `{"data":${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}}`,
].map((body) => Buffer.from(body))
// A page of records is shorter, and what repeats a part of the body is longer.
const LONGEST_ANSWER = 50_000

/**
 * A body with one text as long as a body may be: in the first field that is declared as a text, or in an unknown one.
 */
function longText(operation: NamedOperation): string {
  const { properties = {} } = operation.declaration.input as { properties?: Record<string, { type?: string }> }
  const [name] = Object.entries(properties).find(([, { type }]) => type === 'string') ?? ['unknown']
  return filled(`{${JSON.stringify(name)}:"a@`, 'a.', 'a"}')
}

/** Calls them side by side, because a long body waits between the parts of its work. */
async function eachOperation(check: (operation: NamedOperation) => Promise<void>): Promise<void> {
  const waiting = [...service.app.operations]
  const checkSome = async () => {
    for (let operation = waiting.pop(); operation; operation = waiting.pop()) await check(operation)
  }
  await Promise.all([checkSome(), checkSome(), checkSome(), checkSome()])
}

async function post(path: string, body: string | Buffer, headers: Record<string, string>) {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  return { status: response.status, text: await response.text() }
}

test('a text of 5 MiB is answered with less than 500, and not repeated, by every operation', async () => {
  await eachOperation(async (operation) => {
    const [path = ''] = pathsOf(operation)
    const { status, text } = await post(path, longText(operation), { ...ws.keyHeaders, ...ws.workspaceHeaders })
    const isAnswered = status < 500 && status !== 429
    expect([path, isAnswered, text.length < LONGEST_ANSWER], text.slice(0, 300)).toEqual([path, true, true])
  })
}, 300_000)

describe('a body is judged before it is parsed and before its operation sees it', () => {
  const operations = ['/v2/users/get', '/v2/users/add', '/v2/memory/judgments/add', '/v2/workspace/apikey/update']

  test.each(operations)('%s', async (path) => {
    const answers = []
    for (const body of UNPARSED) {
      const { status, text } = await post(path, body, { ...ws.keyHeaders, ...ws.workspaceHeaders })
      answers.push([status, JSON.parse(text).error.message])
    }
    const tooMany = [400, 'The body must hold at most 100000 values']
    const tooDeep = [400, 'The body must not nest deeper than 100 levels']
    expect(answers).toEqual([tooMany, tooMany, tooMany, tooDeep])
  })
})

test('a request without credential headers has a body of at most 64 KiB', async () => {
  for (const path of ['/v2/workspace/create', '/v2/auth/token/get']) {
    const { status, text } = await post(path, filled('{"a":"', 'x', '"}'), {})
    expect([path, status, JSON.parse(text).error.status]).toEqual([path, 413, 'INVALID_ARGUMENT'])
  }
})

test('a list that is too long is named before anything in it', async () => {
  const organizations = Array.from({ length: 50_000 }, () => 1)
  const { status, text } = await post(
    '/v2/organizations/add',
    JSON.stringify({ data: { organizations } }),
    ws.keyHeaders,
  )
  expect([status, JSON.parse(text).error.details.issues]).toEqual([
    400,
    [{ path: 'organizations', message: 'must have at most 1000 items' }],
  ])
})

test('paths in errors are cut at 200 characters', async () => {
  const key = 'k'.repeat(5_000)
  const { text } = await post(
    '/v2/organizations/add',
    `{"data":{"organizations":[{"${key}":"\\u0000"}]}}`,
    ws.keyHeaders,
  )
  const { error } = JSON.parse(text)
  expect(error.details.issues[0].path).toHaveLength(200)
  expect(error.message.length).toBeLessThan(300)
})

test('an email address of megabytes is refused by its length, and its form is not looked at', async () => {
  const email = `a@${'a.'.repeat(2_000_000)}a`
  const body = JSON.stringify({ data: { organizationId: 'acme', users: [{ userId: 'ada', email }] } })
  const { status, text } = await post('/v2/users/add', body, ws.keyHeaders)
  expect([status, JSON.parse(text).error.details.issues[0].path]).toEqual([400, 'users[0].email'])
})
