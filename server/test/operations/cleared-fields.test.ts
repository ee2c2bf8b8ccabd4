import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../running-service.ts'

const organizationId = 'o'
const place = { organizationId, documentId: 'd' }
const from = { userId: 'u' }

let ws: TestWorkspace
beforeAll(async () => {
  ws = await newWorkspace(await startService())
  const organizations = [{ organizationId, organizationName: 'O' }]
  await ws.ok('/v2/organizations/add', { organizations })
  await ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId: 'f', folderName: 'F' }] })
  await ws.ok('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'd', documentName: 'D' }],
  })
  await ws.ok('/v2/users/add', {
    organizationId,
    users: [
      { userId: 'u', name: 'Una', email: 'u@example.com', initial: 'UU', photoUrl: 'p', plan: 'pro', isGuest: true },
    ],
  })
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      {
        annotationId: 't',
        location: { id: 'l' },
        color: 'red',
        sourceType: 'agent',
        contextId: 'c',
        commentData: [{ commentId: 1, from, commentText: 'x', commentHtml: '<b>x</b>', context: { a: 1 } }],
      },
    ],
  })
  await ws.ok('/v2/recordings/add', {
    ...place,
    recordings: [
      {
        annotationId: 'r',
        recordingType: 'audio',
        mode: 'floating',
        recordedTime: { duration: 1 },
        attachments: [],
        displayName: 'R',
        waveformData: [1, 2],
        from,
      },
    ],
  })
  await ws.ok('/v2/notifications/add', {
    ...place,
    notificationId: 'n',
    actionUser: from,
    displayHeadlineMessageTemplate: 'H',
    displayBodyMessage: 'B',
    notificationSourceData: { a: 1 },
    metadata: { mine: 1 },
    notifyUsers: [from],
  })
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  await ws.ok('/v2/activities/add', {
    ...place,
    activities: [
      {
        id: 'a',
        featureType: 'custom',
        actionType: 'x',
        actionUser: from,
        targetEntityId: 'e',
        displayMessageTemplate: 'M',
        actionIcon: 'i',
      },
    ],
  })
})

interface Case {
  update: string
  /** The request with the change in its place. */
  request: (change: object) => object
  read: string
  filter: object
  /** The name of each field that null clears, as sent; and as read, if that differs. */
  clears: Record<string, string | undefined>
  keeps: string[]
}

const thread = { ...place, annotationIds: ['t'] }
const CASES: Case[] = [
  {
    update: '/v2/organizations/update',
    request: (change) => ({ organizations: [{ organizationId, ...change }] }),
    read: '/v2/organizations/get',
    filter: { organizationIds: [organizationId] },
    clears: { organizationName: 'organizationName":"O' },
    keeps: [],
  },
  {
    update: '/v2/organizations/folders/update',
    request: (change) => ({ organizationId, folders: [{ folderId: 'f', ...change }] }),
    read: '/v2/organizations/folders/get',
    filter: { organizationId },
    clears: { folderName: 'folderName":"F' },
    keeps: ['parentFolderId', 'accessType'],
  },
  {
    update: '/v2/organizations/documents/update',
    request: (change) => ({ organizationId, documents: [{ documentId: 'd', ...change }] }),
    read: '/v2/organizations/documents/get',
    filter: { organizationId },
    clears: { documentName: 'documentName":"D' },
    keeps: ['accessType'],
  },
  {
    update: '/v2/users/update',
    request: (change) => ({ organizationId, users: [{ userId: 'u', ...change }] }),
    read: '/v2/users/get',
    filter: { organizationId },
    clears: {
      name: 'Una',
      email: 'u@example.com',
      initial: 'UU',
      photoUrl: undefined,
      plan: undefined,
      isGuest: undefined,
    },
    keeps: ['accessRole'],
  },
  {
    update: '/v2/commentannotations/update',
    request: (updatedData) => ({ ...thread, updatedData }),
    read: '/v2/commentannotations/get',
    filter: thread,
    clears: { color: 'red', sourceType: undefined, contextId: undefined, location: '"id":"l"' },
    keeps: ['status', 'from', 'visibility', 'customList'],
  },
  {
    update: '/v2/commentannotations/comments/update',
    request: (updatedData) => ({ ...place, annotationId: 't', commentIds: [1], updatedData }),
    read: '/v2/commentannotations/comments/get',
    filter: { ...place, annotationId: 't' },
    clears: { commentHtml: undefined, context: '"a":1' },
    keeps: ['commentText', 'from', 'attachments'],
  },
  {
    update: '/v2/recordings/update',
    request: (change) => ({ ...place, recordings: [{ annotationId: 'r', ...change }] }),
    read: '/v2/recordings/get',
    filter: place,
    clears: { displayName: 'displayName":"R', waveformData: undefined, from: undefined },
    keeps: ['mode', 'recordedTime', 'attachments'],
  },
  {
    update: '/v2/notifications/update',
    request: (change) => ({ organizationId, notifications: [{ id: 'n', ...change }] }),
    read: '/v2/notifications/get',
    filter: { organizationId, notificationIds: ['n'] },
    clears: { displayBodyMessage: '"B"', notificationSourceData: undefined, metadata: '"mine"' },
    keeps: ['actionUser', 'readByUserIds'],
  },
  {
    update: '/v2/activities/update',
    request: (change) => ({ organizationId, activities: [{ id: 'a', ...change }] }),
    read: '/v2/activities/get',
    filter: { organizationId, activityIds: ['a'] },
    clears: { displayMessageTemplate: undefined, actionIcon: undefined },
    keeps: [],
  },
]

const fields = CASES.flatMap((each) => Object.entries(each.clears).map(([field, shown]) => ({ ...each, field, shown })))
test.each(fields)(
  '$update: null clears $field',
  async ({ update, request, read, filter, field, shown = `"${field}"` }) => {
    const text = async () => JSON.stringify((await ws.call(read, filter)).body)
    expect(await text()).toContain(shown)
    const { status, body } = await ws.call(update, request({ [field]: null }))
    expect([status, body.error]).toEqual([200, undefined])
    expect(await text()).not.toContain(shown)
  },
)

const refused = CASES.flatMap((each) => each.keeps.map((field) => ({ ...each, field })))
test.each(refused)(
  '$update: null for $field, which cannot be cleared, is refused',
  async ({ update, request, field }) => {
    const { status, body } = await ws.call(update, request({ [field]: null }))
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(new RegExp(`\\b${field} must be`))])
  },
)

test('in an operation that is no update, null for an optional field means that it is absent', async () => {
  await ws.ok('/v2/users/add', { organizationId, users: [{ userId: 'w', name: null, email: null, accessRole: null }] })
})
