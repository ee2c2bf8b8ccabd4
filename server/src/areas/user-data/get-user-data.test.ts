import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pagesOf } from '../../../test/pages.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob' }
const everywhere = { createOrganization: true, createDocument: true }

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  for (const organizationId of ['acme', 'beta']) await ws.ok('/v2/users/add', { organizationId, users: [ada, bob] })
})

/** One item of every kind of Ada's, and the same of Bob's. */
async function fill() {
  const place = { organizationId: 'acme', documentId: 'plan', ...everywhere }
  const tag = { userId: 'ada', contact: ada }
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      { annotationId: 'hers', commentData: [{ commentText: 'Mine', from: ada }] },
      { annotationId: 'shared', commentData: [bob, ada].map((from) => ({ commentText: 'x', from })) },
      { annotationId: 'mentions', commentData: [{ commentText: 'x', from: bob, taggedUserContacts: [tag] }] },
      { annotationId: 'assigned', assignedTo: ada, commentData: [{ commentText: 'x', from: bob }] },
    ],
  })
  await ws.ok('/v2/reactions/add', {
    ...place,
    annotationId: 'hers',
    reactions: [ada, bob].map((from) => ({ reactionId: `reaction-${from.userId}`, icon: 'HEART', from })),
  })
  await ws.ok('/v2/recordings/add', {
    ...place,
    recordings: [ada, bob].map((from) => ({
      annotationId: `recording-${from.userId}`,
      recordingType: 'audio',
      mode: 'floating',
      recordedTime: { duration: 1 },
      attachments: [],
      from,
    })),
  })
  for (const [notificationId, actionUser, user] of [
    ['got', bob, ada],
    ['caused', ada, bob],
    ['other', bob, bob],
  ]) {
    await ws.ok('/v2/notifications/add', {
      ...place,
      notificationId,
      actionUser,
      isNotificationResolverUsed: true,
      notifyAll: false,
      notifyUsers: [user],
    })
  }
}

const get = (userId: string, more: object = {}) =>
  ws.ok('/v2/users/data/get', { organizationId: 'acme', userId, ...more })
const idsOf = (items: { annotationId?: string; id?: string }[]) =>
  items.map((item) => item.annotationId ?? item.id).sort()

describe('users/data/get', () => {
  test('answers profile, comments, reactions, recordings and notifications of the user', async () => {
    await fill()
    const { message, data, nextPageToken } = await get('ada')
    expect(message).toBe('Data fetched successfully.')
    expect(nextPageToken).toBeNull()
    expect(data.user).toMatchObject({ ...ada, initial: 'AL' })
    expect(idsOf(data.comments)).toEqual(['hers', 'mentions', 'shared'])
    expect(idsOf(data.reactions)).toEqual(['reaction-ada'])
    expect(idsOf(data.recordings)).toEqual(['recording-ada'])
    expect(idsOf(data.notifications)).toEqual(['caused', 'got'])
    expect((await ws.ok('/v1/users/data/get', { organizationId: 'acme', userId: 'ada' })).data).toEqual(data)
  })

  test('has empty arrays when there is none, also for what does not exist', async () => {
    const none = { comments: [], reactions: [], recordings: [], notifications: [] }
    expect((await get('nobody')).data).toEqual({ ...none, user: null })
    expect((await get('ada', { organizationId: 'nowhere' })).data).toMatchObject(none)
    const other = await newWorkspace(service)
    const { data } = await other.ok('/v2/users/data/get', { organizationId: 'acme', userId: 'ada' })
    expect(data).toEqual({ ...none, user: null })
  })

  test('the profile is answered where the user is or was a member, or has content, and nowhere else', async () => {
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'gamma' }] })
    expect((await get('ada', { organizationId: 'beta' })).data.user).toMatchObject(ada)
    expect((await get('ada', { organizationId: 'gamma' })).data.user).toBeNull()
    await ws.ok('/v2/users/delete', { organizationId: 'beta', userIds: ['ada'] })
    expect((await get('ada', { organizationId: 'beta' })).data.user).toMatchObject(ada)
    await ws.ok('/v2/commentannotations/add', {
      organizationId: 'gamma',
      documentId: 'plan',
      ...everywhere,
      commentAnnotations: [{ annotationId: 'hers', commentData: [{ commentText: 'Mine', from: ada }] }],
    })
    expect((await get('ada', { organizationId: 'gamma' })).data.user).toMatchObject({ userId: 'ada' })
  })

  test('the profile is answered where the user held a grant, until the data of the user is deleted', async () => {
    const grant = { type: 'document', id: 'plan', organizationId: 'delta' }
    const folder = { type: 'folder', id: 'plans', organizationId: 'delta' }
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'delta' }] })
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'delta', documents: [{ documentId: 'plan' }] })
    await ws.ok('/v2/organizations/folders/add', { organizationId: 'delta', folders: [{ folderId: 'plans' }] })
    const profileOf = async (userId: string) => (await get(userId, { organizationId: 'delta' })).data.user
    for (const [userId, resource] of [
      ['removed', grant],
      ['left', { type: 'organization', id: 'delta' }],
      ['deleted', grant],
      ['of-folder', folder],
    ] as const) {
      await ws.ok('/v2/auth/permissions/add', { user: { userId }, permissions: { resources: [resource] } })
    }
    for (const [userId, resource] of [
      ['removed', grant],
      ['left', { type: 'organization', id: 'delta' }],
    ] as const) {
      await ws.ok('/v2/auth/permissions/remove', { userId, permissions: { resources: [resource] } })
    }
    await ws.ok('/v2/users/delete', { organizationId: 'delta', documentId: 'plan', userIds: ['deleted'] })
    await ws.ok('/v2/organizations/folders/delete', { organizationId: 'delta', folderId: 'plans' })
    for (const userId of ['removed', 'left', 'deleted', 'of-folder']) {
      expect(await profileOf(userId)).toMatchObject({ userId })
    }
    await ws.ok('/v2/users/data/delete', { userIds: ['removed'], organizationIds: ['delta'] })
    await service.app.worker.drain()
    expect(await profileOf('removed')).toBeNull()
    expect(await profileOf('left')).toMatchObject({ userId: 'left' })
  })

  test('a thread that mentions the user is answered where the user may see it', async () => {
    const documents = [{ documentId: 'secret', accessType: 'restricted' }]
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', createOrganization: true, documents })
    for (const documentId of ['secret', 'plan']) {
      await ws.ok('/v2/commentannotations/add', {
        organizationId: 'acme',
        documentId,
        ...everywhere,
        commentAnnotations: [
          {
            annotationId: documentId,
            commentData: [{ commentText: 'x', from: bob, taggedUserContacts: [{ userId: 'ada', contact: ada }] }],
          },
        ],
      })
    }
    expect(idsOf((await get('ada')).data.comments)).toEqual(['plan'])
    expect(idsOf((await get('bob')).data.comments)).toEqual(['plan', 'secret'])
    await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
    for (const visibility of [{ type: 'organizationPrivate' }, { type: 'restricted', userIds: ['cyd'] }]) {
      await ws.ok('/v2/commentannotations/update', {
        organizationId: 'acme',
        documentId: 'plan',
        annotationIds: ['plan'],
        updatedData: { visibility },
      })
      const isMember = visibility.type === 'organizationPrivate'
      expect(idsOf((await get('ada')).data.comments)).toEqual(isMember ? ['plan'] : [])
    }
  })

  test('each list has up to 100 items per page; one token covers all, and is null after the last page', async () => {
    const place = { organizationId: 'acme', documentId: 'plan', ...everywhere, triggerNotification: false }
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `i${index}`)
    await ws.ok('/v2/commentannotations/add', {
      ...place,
      commentAnnotations: ids(201).map((annotationId) => ({
        annotationId,
        commentData: [{ commentText: 'x', from: ada }],
      })),
    })
    await ws.ok('/v2/reactions/add', {
      ...place,
      annotationId: 'i0',
      reactions: ids(101).map((reactionId) => ({ reactionId, icon: reactionId, from: ada })),
    })
    for (const notificationId of ids(101)) {
      await ws.ok('/v2/notifications/add', {
        ...place,
        notificationId,
        actionUser: bob,
        isNotificationResolverUsed: true,
        notifyAll: false,
        notifyUsers: [ada],
      })
    }
    const pages = []
    for await (const page of pagesOf((next) => get('ada', next))) pages.push(page)
    const sizes = pages.map(({ comments, reactions, recordings, notifications }) =>
      [comments, reactions, recordings, notifications].map((list) => list.length),
    )
    expect(sizes).toEqual([
      [100, 100, 0, 100],
      [100, 1, 0, 1],
      [1, 0, 0, 0],
    ])
    for (const list of ['comments', 'reactions', 'notifications'] as const)
      expect(new Set(pages.flatMap((page) => idsOf(page[list]))).size).toBe(list === 'comments' ? 201 : 101)
    const { nextPageToken } = await get('ada')
    const { body } = await ws.call('/v2/users/data/get', {
      organizationId: 'acme',
      userId: 'bob',
      pageToken: nextPageToken,
    })
    expect(body.error.status).toBe('INVALID_ARGUMENT')
  })
})
