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

  test('leave out a thread that is private to the organization, once the user has left it', async () => {
    await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
    await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
    const thread = (annotationId: string, author: string, isPrivate: boolean) => ({
      annotationId,
      ...(isPrivate && { visibility: { type: 'organizationPrivate' } }),
      commentData: [{ commentText: 'Look, {{bob}} and {{ada}}', from: { userId: author } }],
    })
    await ws.ok('/v2/commentannotations/add', {
      organizationId: 'acme',
      documentId: 'plan',
      commentAnnotations: [thread('open', 'ada', false), thread('private', 'ada', true), thread('own', 'bob', true)],
    })
    await ws.ok('/v2/commentannotations/comments/add', {
      organizationId: 'acme',
      documentId: 'plan',
      annotationId: 'own',
      commentData: [{ commentText: 'Yes', from: { userId: 'ada' } }],
    })
    expect(await count()).toEqual({ unread: 6, forYou: 5 })
    const organization = { resources: [{ type: 'organization', id: 'acme' }] }
    await ws.ok('/v2/auth/permissions/remove', { userId: 'bob', permissions: organization })
    const { data } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'bob' })
    const threads = new Set(data.flatMap(({ targetAnnotationId }) => targetAnnotationId ?? []))
    expect(threads).toEqual(new Set(['open', 'own']))
    expect((await count()).unread).toBe(5)
  })

  test('leave out a thread that is private to another organization, once the user has left that one', async () => {
    await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
    await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
    await ws.ok('/v2/users/add', { organizationId: 'globex', users: [{ userId: 'ada' }, { userId: 'bob' }] })
    await ws.ok('/v2/commentannotations/add', {
      organizationId: 'acme',
      documentId: 'plan',
      commentAnnotations: ['ada', 'bob'].map((author) => ({
        annotationId: `of-${author}`,
        visibility: { type: 'organizationPrivate', organizationId: 'globex' },
        commentData: [{ commentText: 'Look, {{bob}}', from: { userId: author } }],
      })),
    })
    await ws.ok('/v2/commentannotations/comments/add', {
      organizationId: 'acme',
      documentId: 'plan',
      annotationId: 'of-bob',
      commentData: [{ commentText: 'Yes', from: { userId: 'ada' } }],
    })
    expect((await count()).unread).toBe(5)
    const globex = { resources: [{ type: 'organization', id: 'globex' }] }
    await ws.ok('/v2/auth/permissions/remove', { userId: 'bob', permissions: globex })
    const { data } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'bob' })
    expect(data.flatMap(({ targetAnnotationId }) => targetAnnotationId ?? [])).toEqual(['of-bob'])
    expect((await count()).unread).toBe(4)
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
