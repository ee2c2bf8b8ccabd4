import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace
beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

async function ignored(path: string, data: object): Promise<string[] | null> {
  const headers = { 'content-type': 'application/json', ...ws.keyHeaders }
  const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify({ data }) })
  expect(answer.status).toBe(200)
  const header = answer.headers.get('x-ignored-fields')
  return header === null ? null : header.split(',').map(decodeURIComponent)
}

test('x-ignored-fields names unknown fields by their paths, at any depth', async () => {
  const users = [{ userId: 'a', nmae: 'A' }, { userId: 'b' }, { userId: 'c', 'ä,b': 1 }]
  expect(await ignored('/v2/users/add', { organizationId: 'o', users, dryRun: true })).toEqual([
    'users[0].nmae',
    'users[2].ä,b',
    'dryRun',
  ])
})

test('fields that are kept as metadata are not named, read-only ones are', async () => {
  const organizations = [{ organizationId: 'm', color: 'red', disabled: true }]
  expect(await ignored('/v2/organizations/add', { organizations })).toEqual(['organizations[0].disabled'])
})

test('a request whose fields are all known has no such header', async () => {
  expect(await ignored('/v2/organizations/get', { organizationIds: ['m'] })).toBeNull()
})

test.each([
  ['/v2/commentannotations/delete', { documentId: 'd', annotationId: 'a' }, 'annotationId', 'annotationIds'],
  [
    '/v2/commentannotations/update',
    { documentId: 'd', annotationId: 'a', updatedData: { color: 'red' } },
    'annotationId',
    'annotationIds',
  ],
  ['/v2/users/delete', { userIds: ['u'], documentID: 'd' }, 'documentID', 'documentId'],
  ['/v2/notifications/delete', { userId: 'u', notificationId: 'n' }, 'notificationId', 'notificationIds'],
])('%s refuses a misspelt filter, without which it would reach more', async (path, more, name, meant) => {
  const { status, body } = await ws.call(path, { organizationId: 'm', ...more })
  expect([status, body.error.details.issues]).toEqual([
    400,
    [{ path: name, message: `is not a field; is ${meant} meant?` }],
  ])
})

test('users/data/delete does not delete in all organizations because organizationIds was misspelt', async () => {
  const { body } = await ws.call('/v2/users/data/delete', { organizationId: 'm', userIds: ['u'] })
  expect(body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'organizationId is not a field; is organizationIds meant?',
  })
})

test('a deletion ignores a field that resembles none, and one beside the field that it resembles', async () => {
  const data = { organizationId: 'm', userIds: ['u'], userId: 'u', dryRun: true }
  expect(await ignored('/v2/users/delete', data)).toEqual(['userId', 'dryRun'])
})

test('the header has at most 2 KiB, however many fields are ignored', async () => {
  const more = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`unknown-${n}`, n]))
  const headers = { 'content-type': 'application/json', ...ws.keyHeaders }
  const body = JSON.stringify({ data: { organizationIds: ['m'], ...more } })
  const answer = await fetch(`${service.url}/v2/organizations/get`, { method: 'POST', headers, body })
  const header = answer.headers.get('x-ignored-fields') ?? ''
  expect([header.length > 1_900, header.length <= 2_048]).toEqual([true, true])
  expect(header.split(',').every((name) => /^unknown-\d+$/.test(name))).toBe(true)
})

test('the header names a long field by its first 200 characters, and those after it', async () => {
  const found = await ignored('/v2/organizations/get', { ['界'.repeat(3_000)]: 1, 'a,b': 2 })
  expect(found).toEqual([`${'界'.repeat(199)}…`, 'a,b'])
})

test('an error about a missing field names an unknown one that is spelt nearly like it', async () => {
  const { body } = await ws.call('/v2/users/add', { organisationId: 'o', users: [{ userid: 'a' }, { name: 'B' }] })
  expect(body.error.details?.issues).toEqual(
    expect.arrayContaining([
      { path: 'organizationId', message: 'is required; organisationId is not a field' },
      { path: 'users[0].userId', message: 'is required; userid is not a field' },
      { path: 'users[1].userId', message: 'is required' },
    ]),
  )
})
