import { assert, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pagesOf } from '../../../test/pages.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: ['ada', 'bob', 'cyd'].map((userId) => ({ userId })) })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'plan' }] })
})

const words = { displayHeadlineMessageTemplate: '{actionUser} did it', displayBodyMessage: 'Body' }
const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }

const add = (more: object = {}) =>
  ws.ok('/v2/notifications/add', {
    organizationId: 'acme',
    documentId: 'plan',
    actionUser: ada,
    ...words,
    ...more,
  })
const to = (...userIds: string[]) => ({ notifyAll: false, notifyUsers: userIds.map((userId) => ({ userId })) })
const get = async (more: object = {}) =>
  (await ws.ok('/v2/notifications/get', { organizationId: 'acme', ...more })).data
const idsOf = async (more: object = {}) => (await get(more)).map(({ id }) => id)
const update = async (notifications: object[], more: object = {}) =>
  (await ws.ok('/v2/notifications/update', { organizationId: 'acme', notifications, ...more })).data
const remove = (more: object) => ws.ok('/v2/notifications/delete', { organizationId: 'acme', ...more })
const failure = async (path: string, data: object) =>
  (await ws.call(path, { organizationId: 'acme', ...data })).body.error

describe('notifications/add', () => {
  test('answers success without the id', async () => {
    const result = await add(to('bob'))
    const message = 'Notification added successfully.'
    expect(result).toEqual({ status: 'success', message, data: { success: true, message } })
  })

  test('the headline and the body are required unless isNotificationResolverUsed is true', async () => {
    const message = async (more: object) =>
      (await failure('/v2/notifications/add', { documentId: 'plan', actionUser: ada, ...words, ...more })).message
    expect(await message({ displayBodyMessage: null })).toMatch(/^displayBodyMessage is required/)
    expect(await message({ displayHeadlineMessageTemplate: null })).toMatch(
      /^displayHeadlineMessageTemplate is required/,
    )
    await add({
      displayHeadlineMessageTemplate: null,
      displayBodyMessage: null,
      isNotificationResolverUsed: true,
      ...to('bob'),
    })
    const [notification] = await get({ userId: 'bob' })
    expect(notification).toMatchObject({ isNotificationResolverUsed: true, notificationSource: 'custom' })
    expect(notification?.displayHeadlineMessage).toBeUndefined()
  })

  test('reaches all users of the organization by default, and only notifyUsers when notifyAll is false', async () => {
    await add({ notificationId: 'all' })
    await add({ notificationId: 'one', ...to('bob') })
    await add({ notificationId: 'named', notifyUsers: [{ userId: 'guest' }] })
    expect(await idsOf({ userId: 'bob' })).toEqual(['named', 'one', 'all'])
    expect(await idsOf({ userId: 'cyd' })).toEqual(['named', 'all'])
    expect(await idsOf({ userId: 'guest' })).toEqual(['named'])
    expect(
      (await failure('/v2/notifications/add', { documentId: 'plan', actionUser: ada, ...words, notifyAll: false }))
        .message,
    ).toMatch(/^notifyUsers is required/)
  })

  test('what is addressed to a user is for the user, what reaches all is not', async () => {
    await add({ notificationId: 'n', notifyUsers: [{ userId: 'bob', email: 'bob@example.com' }] })
    const [forBob] = await get({ userId: 'bob' })
    const [forCyd] = await get({ userId: 'cyd' })
    expect([forBob?.forYou, forBob?.isUnread, forCyd?.forYou, forCyd?.isUnread]).toEqual([true, true, false, true])
    const [plain] = await get()
    expect(Object.values(plain?.notifyUsers ?? {})).toEqual([true])
    expect(Object.keys(plain?.notifyUsersByUserId ?? {})).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(plain?.forYou).toBeUndefined()
  })

  test('a notification reaches a user at most once per notification id, also after the deletion of the own copy', async () => {
    await add({ notificationId: 'n', ...to('bob'), displayBodyMessage: 'First' })
    await add({ notificationId: 'n', ...to('bob', 'cyd'), displayBodyMessage: 'Second' })
    expect(await get({ userId: 'bob' })).toHaveLength(1)
    expect((await get({ userId: 'cyd' })).map((n) => n.displayBodyMessage)).toEqual(['First'])
    await remove({ userId: 'bob', notificationIds: ['n'] })
    await add({ notificationId: 'n', ...to('bob') })
    expect(await get({ userId: 'bob' })).toEqual([])
    expect(await get()).toHaveLength(1)
  })

  test('adds of one id at once deliver once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => add({ notificationId: 'race', ...to('bob', 'cyd') })))
    expect(await idsOf({ userId: 'bob' })).toEqual(['race'])
    expect(await idsOf()).toEqual(['race'])
  })

  test('templates have single braces: users by name, paths, missing variables empty, nothing read twice', async () => {
    await add({
      ...to('bob'),
      displayHeadlineMessageTemplate: '{actionUser} told {recipientUser} of {project.name}{missing}: {raw} {{x}}',
      displayHeadlineMessageTemplateData: { project: { name: 'P' }, raw: '<b>{actionUser}</b>', x: 1 },
    })
    const [notification] = await get({ userId: 'bob' })
    expect(notification?.displayHeadlineMessage).toBe('Ada Lovelace told bob of P: <b>{actionUser}</b> {1}')
    expect(notification?.displayHeadlineMessageTemplate).toMatch(/^\{actionUser\}/)
  })

  test('a body can be a template', async () => {
    await add({
      ...to('bob'),
      displayBodyMessage: null,
      displayBodyMessageTemplate: 'By {actionUser}: {what}',
      displayBodyMessageTemplateData: { what: 'this' },
    })
    expect((await get())[0]?.displayBodyMessage).toBe('By Ada Lovelace: this')
  })

  test('the record is given back with its place, time and source data', async () => {
    await add({
      notificationId: 'n',
      notificationSourceData: { open: 7 },
      location: { id: 'x', page: 2 },
      context: { access: { a: 1 } },
      ...to(),
    })
    const [notification] = await get()
    expect(notification).toMatchObject({
      id: 'n',
      notificationSource: 'custom',
      notificationSourceData: { open: 7 },
      context: { access: { a: 1 } },
      actionUser: ada,
      timestamp: expect.any(Number),
      metadata: {
        apiKey: ws.apiKey,
        organizationId: 'acme',
        documentId: 'plan',
        clientOrganizationId: 'acme',
        clientDocumentId: 'plan',
        location: { id: 'x', page: 2 },
        locationId: expect.any(Number),
      },
    })
  })

  test('organization and document are created when asked for, else NOT_FOUND and nothing written', async () => {
    const { status } = await failure('/v2/notifications/add', { documentId: 'new', actionUser: ada, ...words })
    expect(status).toBe('NOT_FOUND')
    await add({ documentId: 'new', createDocument: true, ...to('bob') })
    await add({
      organizationId: 'fresh',
      documentId: 'new',
      createOrganization: true,
      createDocument: true,
      ...to('bob'),
    })
    expect((await get({ organizationId: 'fresh', userId: 'bob' }))[0]?.metadata.documentId).toBe('new')
  })

  test('with verifyUserPermissions only those who have access to the document are notified', async () => {
    await ws.ok('/v2/organizations/documents/access/update', {
      organizationId: 'acme',
      documentIds: ['plan'],
      accessType: 'restricted',
    })
    await ws.ok('/v2/users/add', { organizationId: 'acme', documentId: 'plan', users: [{ userId: 'cyd' }] })
    await add({ notificationId: 'n', verifyUserPermissions: true, ...to('bob', 'cyd') })
    expect(await idsOf({ userId: 'bob' })).toEqual([])
    expect(await idsOf({ userId: 'cyd' })).toEqual(['n'])
    await ws.ok('/v2/users/delete', { organizationId: 'acme', documentId: 'plan', userIds: ['cyd'] })
    expect(await idsOf({ userId: 'cyd' })).toEqual(['n'])
    expect(await idsOf({ userId: 'cyd', verifyUserPermissions: true })).toEqual([])
  })

  test('inbox preferences are obeyed: NONE nothing, MINE what is addressed to the user', async () => {
    const set = (userId: string, inbox: string) =>
      ws.ok('/v2/notifications/config/set', { organizationId: 'acme', userIds: [userId], config: { inbox } })
    await set('bob', 'NONE')
    await set('cyd', 'MINE')
    await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'dan' }] })
    await add({ notificationId: 'all' })
    await add({ notificationId: 'named', ...to('bob', 'cyd') })
    expect(await idsOf({ userId: 'bob' })).toEqual([])
    expect(await idsOf({ userId: 'cyd' })).toEqual(['named'])
    expect(await idsOf({ userId: 'dan' })).toEqual(['all'])
  })
})

describe('notifications/get', () => {
  test('filters by document, user, location and ids; unknown places answer nothing', async () => {
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'other' }] })
    await add({ notificationId: 'a', location: { id: 7 }, ...to('bob') })
    await add({ notificationId: 'b', documentId: 'other', location: { id: 7 }, ...to('cyd') })
    const [notification] = await get({ notificationIds: ['a'] })
    assert(notification?.metadata.locationId)
    expect(await idsOf({ documentId: 'plan' })).toEqual(['a'])
    expect(await idsOf({ locationId: '7' })).toEqual(['b', 'a'])
    expect(await idsOf({ locationId: 7, documentId: 'other' })).toEqual(['b'])
    expect(await idsOf({ locationId: notification.metadata.locationId, userId: 'bob' })).toEqual(['a'])
    expect(await idsOf({ notificationIds: [] })).toEqual([])
    expect(await idsOf({ userId: 'nobody' })).toEqual([])
    expect(await idsOf({ organizationId: 'nowhere' })).toEqual([])
  })

  test.each([{}, { userId: 'bob' }])(
    'pages by time in both orders, losing and repeating nothing (%j)',
    async (filter) => {
      for (const id of ['1', '2', '3', '4', '5']) await add({ notificationId: id, ...to('bob') })
      for (const order of ['asc', 'desc']) {
        const seen: string[] = []
        const listing = { organizationId: 'acme', ...filter, order, pageSize: 2 }
        for await (const page of pagesOf((next) => ws.ok('/v2/notifications/get', { ...listing, ...next })))
          seen.push(...page.map(({ id }) => id))
        expect(seen).toHaveLength(5)
        const all = await get({ ...filter, order })
        expect(seen).toEqual(all.map(({ id }) => id))
        const times = all.map(({ timestamp }) => timestamp)
        expect(times).toEqual([...times].sort((a, b) => (order === 'asc' ? a - b : b - a)))
      }
      const { pageToken } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', ...filter, pageSize: 1 })
      const { status } = await failure('/v2/notifications/get', { ...filter, documentId: 'plan', pageToken })
      expect(status).toBe('INVALID_ARGUMENT')
    },
  )
})

describe('notifications/update', () => {
  test('changes what is sent and leaves the rest; unknown ids fail by themselves', async () => {
    await add({ notificationId: 'n', notificationSourceData: { a: 1 }, ...to('bob') })
    const data = await update([
      { id: 'n', displayBodyMessage: 'New', actionUser: { userId: 'bob', name: 'Bob' } },
      { id: 'none', displayBodyMessage: 'x' },
    ])
    expect(data).toEqual({
      n: { success: true, message: 'Notification updated.' },
      none: { success: false, message: 'Failed to update notification.' },
    })
    expect((await get())[0]).toMatchObject({
      displayBodyMessage: 'New',
      displayHeadlineMessage: 'Bob did it',
      notificationSourceData: { a: 1 },
    })
  })

  test('readByUserIds marks read and takes it from what is for the user, unless persistReadForUsers', async () => {
    await add({ notificationId: 'n', ...to('bob', 'cyd') })
    await update([{ id: 'n', readByUserIds: ['bob', 'stranger'] }])
    await update([{ id: 'n', readByUserIds: ['cyd'], persistReadForUsers: true }])
    const state = async (userId: string) => {
      const [notification] = await get({ userId })
      return { isUnread: notification?.isUnread, forYou: notification?.forYou }
    }
    expect(await state('bob')).toEqual({ isUnread: false, forYou: false })
    expect(await state('cyd')).toEqual({ isUnread: false, forYou: true })
    expect(await get({ userId: 'stranger' })).toEqual([])
  })

  test('documentId, locationId and userId narrow what may be updated', async () => {
    await add({ notificationId: 'n', location: { id: 'x' }, ...to('bob') })
    const outcome = async (more: object) => (await update([{ id: 'n', displayBodyMessage: 'B' }], more)).n?.success
    expect(await outcome({ documentId: 'plan', locationId: 'x', userId: 'bob' })).toBe(true)
    expect(await outcome({ documentId: 'other' })).toBe(false)
    expect(await outcome({ locationId: 'y' })).toBe(false)
    expect(await outcome({ userId: 'cyd' })).toBe(false)
  })

  test('with verifyUserPermissions a userId or an actionUser without access to the document changes nothing', async () => {
    await ws.ok('/v2/organizations/documents/access/update', {
      organizationId: 'acme',
      documentIds: ['plan'],
      accessType: 'restricted',
    })
    await add({ notificationId: 'n', ...to('bob') })
    const change = { id: 'n', displayBodyMessage: 'B', actionUser: { userId: 'bob' } }
    expect((await update([change], { verifyUserPermissions: true })).n?.success).toBe(false)
    expect((await update([change])).n?.success).toBe(true)
    const read = { id: 'n', readByUserIds: ['bob'] }
    expect((await update([read], { userId: 'bob', verifyUserPermissions: true })).n?.success).toBe(false)
    expect((await update([read], { userId: 'bob' })).n?.success).toBe(true)
  })
})
