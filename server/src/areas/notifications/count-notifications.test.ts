import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'ada' }, { userId: 'bob' }] })
  await ws.ok('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'plan' }, { documentId: 'map' }],
  })
  const message = { displayHeadlineMessageTemplate: '{actionUser} did it', displayBodyMessage: 'Body' }
  for (const [notificationId, documentId, notifyAll] of [
    ['mine', 'plan', false],
    ['other', 'map', false],
    ['all', 'plan', true],
  ]) {
    await ws.ok('/v2/notifications/add', {
      organizationId: 'acme',
      documentId,
      notificationId,
      notifyAll,
      actionUser: { userId: 'ada' },
      ...(notifyAll ? {} : { notifyUsers: [{ userId: 'bob' }] }),
      ...message,
    })
  }
})

const count = async (more: object = {}) =>
  (await ws.ok('/v2/notifications/count/get', { organizationId: 'acme', userId: 'bob', ...more })).data
const unread = async (more: object = {}) =>
  (await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'bob', unreadOnly: true, ...more })).data.map(
    ({ id }) => id,
  )
const read = (id: string, userId = 'bob') =>
  ws.ok('/v2/notifications/update', { organizationId: 'acme', notifications: [{ id, readByUserIds: [userId] }] })

describe('notifications/count/get and unreadOnly', () => {
  test('tell what the user has not read, and what of it is addressed to the user', async () => {
    expect(await count()).toEqual({ unread: 3, forYou: 2 })
    expect(await unread()).toEqual(['all', 'other', 'mine'])
    await read('mine')
    await read('all', 'ada')
    expect(await count()).toEqual({ unread: 2, forYou: 1 })
    expect(await unread()).toEqual(['all', 'other'])
  })

  test('leave out what was deleted for the user, and what is in other documents than the one asked for', async () => {
    await ws.ok('/v2/notifications/delete', { organizationId: 'acme', userId: 'bob', notificationIds: ['mine'] })
    expect(await count()).toEqual({ unread: 2, forYou: 1 })
    expect(await count({ documentId: 'plan' })).toEqual({ unread: 1, forYou: 0 })
    expect(await unread({ documentId: 'plan' })).toEqual(['all'])
  })

  test('a page of unread ones leads to the next', async () => {
    const { data, pageToken } = await ws.ok('/v2/notifications/get', {
      organizationId: 'acme',
      userId: 'bob',
      unreadOnly: true,
      pageSize: 2,
    })
    expect(data).toHaveLength(2)
    expect(await unread({ pageSize: 2, pageToken })).toEqual(['mine'])
  })

  test('a user whom nobody told anything has read all', async () => {
    expect(await count({ userId: 'nobody' })).toEqual({ unread: 0, forYou: 0 })
  })

  test('unreadOnly needs a user', async () => {
    const { body } = await ws.call('/v2/notifications/get', { organizationId: 'acme', unreadOnly: true })
    expect(body.error.message).toBe('userId is required when unreadOnly is true')
  })
})
