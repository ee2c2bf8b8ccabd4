import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { initialOf } from './user.ts'

let service: Service
let ws: TestWorkspace
let organizationId: string

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

beforeEach(() => {
  organizationId = randomUUID()
})

const ada = { userId: 'ada', name: 'Ada King Lovelace', email: 'ada@example.com' }
const add = (data: object) => ws.ok('/v2/users/add', { organizationId, users: [ada], ...data })
const get = (data: object = {}) => ws.ok('/v2/users/get', { organizationId, ...data })
const idsOf = ({ data }: Awaited<ReturnType<typeof get>>) => ungrouped(data).map(({ userId }) => userId)
const statusOf = async (path: string, data: object) =>
  (await ws.call(path, { organizationId, ...data })).body.error?.status

test('the organization is created if it does not exist, and the user is listed in it', async () => {
  const result = await add({})
  expect(result).toEqual({
    status: 'success',
    message: 'User(s) processed successfully.',
    data: { ada: { success: true, id: expect.stringMatching(/^[0-9a-f]{32}$/), message: 'User added.' } },
  })
  expect(await get()).toEqual({
    status: 'success',
    message: 'User(s) retrieved successfully.',
    data: [{ ...ada, initial: 'AL', accessRole: 'editor' }],
    nextPageToken: null,
  })
})

test('with createOrganization false a missing organization is NOT_FOUND and nothing is written', async () => {
  expect(await statusOf('/v2/users/add', { users: [ada], createOrganization: false })).toBe('NOT_FOUND')
  expect(await statusOf('/v2/users/get', {})).toBe('NOT_FOUND')
})

test.each([
  ['document', 'createDocument'],
  ['folder', 'createFolder'],
])('with a %s users are added only to that', async (kind, create) => {
  const level = { [`${kind}Id`]: 'd1' }
  expect(await statusOf('/v2/users/add', { users: [ada], ...level })).toBe('NOT_FOUND')
  expect(await statusOf('/v2/users/get', {})).toBe('NOT_FOUND')
  await add({ ...level, [create]: true })
  expect(idsOf(await get(level))).toEqual(['ada'])
  expect(idsOf(await get())).toEqual([])
  await add({})
  expect(idsOf(await get())).toEqual(['ada'])
  expect(await statusOf('/v2/users/get', { [`${kind}Id`]: 'd2' })).toBe('NOT_FOUND')
})

test.each(['add', 'update', 'delete', 'get'])(
  'users/%s with both documentId and folderId is INVALID_ARGUMENT',
  async (name) => {
    const both = { documentId: 'd', folderId: 'f', users: [ada], userIds: ['ada'] }
    expect(await statusOf(`/v2/users/${name}`, both)).toBe('INVALID_ARGUMENT')
  },
)

test('adding an existing user updates it; what is left out stays', async () => {
  await add({ users: [{ ...ada, accessRole: 'viewer', color: 'red' }] })
  await add({ users: [{ userId: 'ada', photoUrl: 'https://example.com/a.png', initial: null }] })
  expect((await get()).data).toEqual([
    { ...ada, initial: 'AL', accessRole: 'viewer', color: 'red', photoUrl: 'https://example.com/a.png' },
  ])
  await add({ users: [{ userId: 'ada', name: 'Grace', initial: 'X', accessRole: 'editor' }] })
  expect((await get()).data).toMatchObject([{ name: 'Grace', initial: 'X', accessRole: 'editor', color: 'red' }])
})

test('the name defaults to the id', async () => {
  await add({ users: [{ userId: 'grace hopper' }] })
  expect((await get()).data).toEqual([
    { userId: 'grace hopper', name: 'grace hopper', initial: 'GH', accessRole: 'editor' },
  ])
})

test.each([
  ['Ada King Lovelace', 'AL'],
  ['  ada ', 'A'],
  ['åsa 𝒳erxes', 'Å𝒳'],
  ['', ''],
  ['e\u0301ric noël', 'E\u0301N'],
  ['🇩🇪 Team', '🇩🇪T'],
])('the initial of "%s" is "%s"', (name, initial) => {
  expect(initialOf(name)).toBe(initial)
})

test('a malformed user fails the request with its path', async () => {
  for (const [user, path] of [
    [{ name: 'x' }, 'users[1].userId'],
    [{ userId: 'x', email: 'no address' }, 'users[1].email'],
    [{ userId: 'x', accessRole: 'owner' }, 'users[1].accessRole'],
    [{ userId: 'x'.repeat(257) }, 'users[1].userId'],
  ] as const) {
    const { body } = await ws.call('/v2/users/add', { organizationId, users: [ada, user] })
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path }] } })
  }
  expect(await statusOf('/v2/users/get', {})).toBe('NOT_FOUND')
})

test('of an id repeated in one call the last occurrence wins, and keys are plain data', async () => {
  const { data } = await add({ users: [ada, { userId: '__proto__' }, { ...ada, name: 'Last' }] })
  expect(Object.keys(data).sort()).toEqual(['__proto__', 'ada'])
  const { data: users } = await get({ userIds: ['ada'] })
  expect(users).toMatchObject([{ name: 'Last' }])
})

test('users are updated at the level at which they are, others are reported', async () => {
  await add({ users: [{ ...ada, accessRole: 'viewer' }] })
  await add({ documentId: 'd', createDocument: true })
  const { data } = await ws.ok('/v2/users/update', {
    organizationId,
    documentId: 'd',
    users: [{ userId: 'ada', name: 'Countess', accessRole: 'editor' }, { userId: 'nobody' }],
  })
  expect(data).toEqual({
    ada: { success: true, id: expect.stringMatching(/^[0-9a-f]{32}$/), message: 'User updated.' },
    nobody: { success: false, message: 'User does not exist.' },
  })
  expect((await get()).data).toMatchObject([{ name: 'Countess', accessRole: 'viewer' }])
  expect((await get({ documentId: 'd' })).data).toMatchObject([{ name: 'Countess', accessRole: 'editor' }])
})

test.each(['', '/pictures/ada.png', 'data:image/png;base64,AAAA'])(
  'a photoUrl is kept as it is sent: "%s"',
  async (photoUrl) => {
    await add({ users: [{ ...ada, photoUrl }] })
    expect((await get()).data).toMatchObject([{ userId: 'ada', photoUrl }])
  },
)

test.each([
  ['organization', {}],
  ['document', { documentId: 'nowhere' }],
  ['folder', { folderId: 'nowhere' }],
])('a write into a missing %s creates nothing and is NOT_FOUND: users/update', async (kind, level) => {
  if (kind !== 'organization') await add({})
  expect(await statusOf('/v2/users/update', { users: [ada], ...level })).toBe('NOT_FOUND')
  expect(await statusOf('/v2/users/get', level)).toBe('NOT_FOUND')
})

test('deleting from a document or folder removes that access only', async () => {
  await add({})
  await add({ documentId: 'd', createDocument: true })
  await add({ folderId: 'f', createFolder: true })
  const remove = (level: object) => ws.ok('/v2/users/delete', { organizationId, userIds: ['ada', 'nobody'], ...level })
  expect((await remove({ documentId: 'd' })).data).toEqual({
    ada: { success: true, message: 'User removed.' },
    nobody: { success: false, message: 'User does not exist.' },
  })
  expect((await remove({ documentId: 'd' })).data.ada?.success).toBe(false)
  expect(idsOf(await get({ documentId: 'd' }))).toEqual([])
  expect(idsOf(await get({ folderId: 'f' }))).toEqual(['ada'])
  expect(idsOf(await get())).toEqual(['ada'])
})

test('deleting from the organization takes every access in it and the places in groups', async () => {
  await add({})
  await add({ documentId: 'd', createDocument: true })
  await add({ folderId: 'f', createFolder: true })
  const group = { organizationId, organizationUserGroupId: 'g' }
  await ws.ok('/v2/organizations/usergroups/add', { organizationId, organizationUserGroups: [{ groupId: 'g' }] })
  await ws.ok('/v2/organizations/usergroups/users/add', { ...group, userIds: ['ada'] })
  await ws.ok('/v2/users/delete', { organizationId, userIds: ['ada'] })
  for (const level of [{}, { documentId: 'd' }, { folderId: 'f' }]) expect(idsOf(await get(level))).toEqual([])
  await add({})
  expect(idsOf(await get({ organizationUserGroupIds: ['g'] }))).toEqual([])
})

test('deleting from what does not exist is success: false per user', async () => {
  const { data } = await ws.ok('/v2/users/delete', { organizationId, userIds: ['ada'] })
  expect(data).toEqual({ ada: { success: false, message: 'User does not exist.' } })
})

test('get filters by users and by groups; an empty list means none', async () => {
  await add({ users: ['a', 'b', 'c'].map((userId) => ({ userId })) })
  await ws.ok('/v2/organizations/usergroups/add', { organizationId, organizationUserGroups: [{ groupId: 'g' }] })
  await ws.ok('/v2/organizations/usergroups/users/add', {
    organizationId,
    organizationUserGroupId: 'g',
    userIds: ['a', 'b'],
  })
  expect(idsOf(await get())).toEqual(['a', 'b', 'c'])
  expect(idsOf(await get({ userIds: ['b', 'c', 'x'] }))).toEqual(['b', 'c'])
  expect(idsOf(await get({ userIds: ['b', 'c'], organizationUserGroupIds: ['g', 'h'] }))).toEqual(['b'])
  expect(idsOf(await get({ userIds: [] }))).toEqual([])
  expect(idsOf(await get({ organizationUserGroupIds: [] }))).toEqual([])
})

test('allDocuments lists the users of documents once, or by document', async () => {
  await add({ users: [{ userId: 'member' }] })
  for (const [documentId, ids] of [
    ['d1', ['a', 'b']],
    ['d2', ['b', 'c']],
  ] as const) {
    await add({ documentId, createDocument: true, users: ids.map((userId) => ({ userId })) })
  }
  expect(idsOf(await get({ allDocuments: true })).sort()).toEqual(['a', 'b', 'c'])
  const { data } = await get({ allDocuments: true, groupByDocumentId: true })
  const user = (userId: string) => expect.objectContaining({ userId })
  expect(data).toEqual({ d1: [user('a'), user('b')], d2: [user('b'), user('c')] })
  expect(await statusOf('/v2/users/get', { groupByDocumentId: true })).toBe('INVALID_ARGUMENT')
  expect(await statusOf('/v2/users/get', { allDocuments: true, documentId: 'd1' })).toBe('INVALID_ARGUMENT')
})

test.each([{}, { allDocuments: true }, { allDocuments: true, groupByDocumentId: true }])(
  'pages of %j lose and repeat nobody while users are added',
  async (listing) => {
    const seven = Array.from({ length: 7 }, (_, index) => ({ userId: `u${index}` }))
    const level = 'allDocuments' in listing ? { documentId: 'd', createDocument: true } : {}
    await add({ ...level, users: seven })
    const seen: string[] = []
    let pageToken: string | null = null
    do {
      const page: { data: object; nextPageToken: string | null } = await get({ ...listing, pageSize: 3, pageToken })
      seen.push(
        ...Object.values(page.data)
          .flat()
          .map(({ userId }) => userId),
      )
      pageToken = page.nextPageToken
      if (seen.length === 3) await add({ ...level, users: [{ userId: 'late' }] })
    } while (pageToken !== null)
    expect(seen.filter((id) => id !== 'late').sort()).toEqual(seven.map(({ userId }) => userId))
    expect(new Set(seen).size).toBe(seen.length)
  },
)

test('a page token that does not fit the filters is INVALID_ARGUMENT, as is a page size beyond 1 to 1000', async () => {
  await add({ users: [{ userId: 'a' }, { userId: 'b' }] })
  const { nextPageToken } = await get({ pageSize: 1 })
  expect(await statusOf('/v2/users/get', { pageToken: nextPageToken, userIds: ['a'] })).toBe('INVALID_ARGUMENT')
  for (const pageSize of [0, 1001]) expect(await statusOf('/v2/users/get', { pageSize })).toBe('INVALID_ARGUMENT')
})

test('what records repeat of a user is short: a name of 512 characters, an address of 320, a color of 256', async () => {
  const longest = {
    ...{ name: '🦉'.repeat(512), initial: 'x'.repeat(512), email: `${'x'.repeat(308)}@example.com` },
    ...{ photoUrl: '🦉'.repeat(2_000), color: 'x'.repeat(256), textColor: '🦉'.repeat(256) },
  }
  await add({ users: [{ userId: 'ada', ...longest }] })
  expect((await get()).data).toMatchObject([longest])
  for (const [field, value] of Object.entries(longest)) {
    const user = { userId: 'ada', [field]: `x${value}` }
    expect(await statusOf('/v2/users/add', { users: [user] })).toBe('INVALID_ARGUMENT')
    const commentAnnotations = [{ commentData: [{ commentText: 'x', from: user }] }]
    expect(await statusOf('/v2/commentannotations/add', { documentId: 'd', commentAnnotations })).toBe(
      'INVALID_ARGUMENT',
    )
    if (!['name', 'email'].includes(field)) continue
    const activities = [{ featureType: 'custom', actionType: 'x', actionUser: user, targetEntityId: 't' }]
    expect(await statusOf('/v2/activities/add', { documentId: 'd', activities })).toBe('INVALID_ARGUMENT')
  }
  for (const field of ['plan', 'type']) {
    const user = { userId: 'ada', [field]: 'x'.repeat(257) }
    expect(await statusOf('/v2/users/add', { users: [user] })).toBe('INVALID_ARGUMENT')
    expect(await statusOf('/v2/users/update', { users: [user] })).toBe('INVALID_ARGUMENT')
  }
})

test('concurrent adds of the same users all succeed and leave each user once', async () => {
  const users = Array.from({ length: 50 }, (_, index) => ({ userId: `u${index}` }))
  const orders = [users, users.toReversed(), users, users.toReversed()]
  const answers = await Promise.all(orders.map((each) => ws.call('/v2/users/add', { organizationId, users: each })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(idsOf(await get()).sort()).toEqual(users.map(({ userId }) => userId).sort())
})

test('adds and deletes of the same users at once leave no half of a user', async () => {
  await add({})
  const calls = Array.from({ length: 12 }, (_, index) =>
    index % 2
      ? ws.call('/v2/users/delete', { organizationId, userIds: ['ada'] })
      : ws.call('/v2/users/add', { organizationId, users: [ada] }),
  )
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
  await add({})
  expect(idsOf(await get())).toEqual(['ada'])
})

test('users of another API key are not seen', async () => {
  await add({})
  const other = await newWorkspace(service)
  expect((await other.call('/v2/users/get', { organizationId })).body.error.status).toBe('NOT_FOUND')
})
