import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../running-service.ts'

// The requests are those of a client of the hosted API: its headers, its paths, its bodies. Only the base address
// differs.
let service: Service
let ws: TestWorkspace
beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
})

interface Envelope {
  result: { status: string; message: string; data?: unknown }
}

async function send(path: string, data: object): Promise<{ status: number; body: Envelope }> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'x-velt-api-key': ws.apiKey,
      'x-velt-auth-token': ws.keyHeaders['x-service-auth-token'] ?? '',
    },
    body: JSON.stringify({ data }),
  })
  return { status: response.status, body: (await response.json()) as Envelope }
}

const organizationId = 'yourOrganizationId'
const documentId = 'yourDocumentId'
const place = { organizationId, documentId }
const from = { userId: 'yourUserId', name: 'User Name', email: 'user@example.com' }
const annotationId = 'yourAnnotationId'
const thread = { ...place, annotationId }
const location = { id: 'yourLocationId', locationName: 'Your location' }
const status = { id: 'RESOLVED', name: 'Resolved', type: 'terminal', color: '#0DCF82', lightColor: '#E7FAF2', svg: '' }
const comment = {
  commentId: 153783,
  commentText: 'Hello {{otherUserId}}',
  commentHtml: '<p>Hello {{otherUserId}}</p>',
  from,
  taggedUserContacts: [
    {
      text: '{{otherUserId}}',
      userId: 'otherUserId',
      contact: { userId: 'otherUserId', name: 'Other', email: 'other@example.com' },
    },
  ],
}
const annotation = {
  annotationId,
  location,
  targetElement: { elementId: 'hero', targetText: 'Hello', occurrence: 1, selectAllContent: false },
  commentData: [
    { ...comment, createdAt: 1_720_000_000_000, lastUpdated: 1_720_000_000_000, triggerNotification: true },
  ],
  context: { access: { team: 'design' } },
  visibility: { type: 'public' },
}
const notification = {
  ...place,
  actionUser: from,
  notificationId: 'yourNotificationId',
  displayHeadlineMessageTemplate: '{actionUser} did something for {recipientUser}',
  displayHeadlineMessageTemplateData: { actionUser: from, recipientUser: { ...from, userId: 'otherUserId' } },
  displayBodyMessage: 'Body',
  notifyUsers: [{ ...from, userId: 'otherUserId' }],
  notifyAll: false,
  notificationSource: 'custom',
  context: { access: { team: 'design' } },
}
const activity = {
  id: 'yourActivityId',
  featureType: 'custom',
  actionType: 'custom',
  actionUser: from,
  targetEntityId: 'order-1',
  displayMessageTemplate: '{{actionUser.name}} did {{what}}',
  displayMessageTemplateData: { what: 'it' },
}

// In order: what is added is read, updated and deleted.
const v2: [path: string, data: object][] = [
  ['/organizations/add', { organizations: [{ organizationId, organizationName: 'Yours', region: 'eu' }] }],
  ['/organizations/get', { organizationIds: [organizationId], pageSize: 10 }],
  ['/organizations/update', { organizations: [{ organizationId, organizationName: 'Ours' }] }],
  ['/organizations/access/disablestate/update', { organizationIds: [organizationId], disabled: false }],
  ['/organizations/folders/add', { organizationId, folders: [{ folderId: 'yourFolderId', folderName: 'Folder' }] }],
  ['/organizations/folders/get', { organizationId, folderId: 'yourFolderId', maxDepth: 2 }],
  ['/organizations/folders/update', { organizationId, folders: [{ folderId: 'yourFolderId', folderName: 'New' }] }],
  ['/organizations/folders/access/update', { organizationId, folderIds: ['yourFolderId'], accessType: 'restricted' }],
  ['/organizations/documents/add', { organizationId, documents: [{ documentId, documentName: 'Document' }] }],
  ['/organizations/documents/get', { organizationId, documentIds: [documentId], pageSize: 10 }],
  ['/organizations/documents/update', { organizationId, documents: [{ documentId, documentName: 'New' }] }],
  ['/organizations/documents/move', { organizationId, documentIds: [documentId], folderId: 'yourFolderId' }],
  [
    '/organizations/documents/access/update',
    { organizationId, documentIds: [documentId], accessType: 'organizationPrivate' },
  ],
  [
    '/organizations/documents/access/disablestate/update',
    { organizationId, documentIds: [documentId], disabled: false },
  ],
  [
    '/users/add',
    { organizationId, users: [{ ...from, accessRole: 'editor' }], createOrganization: true, type: 'signedIn' },
  ],
  ['/users/get', { organizationId, userIds: [from.userId], pageSize: 10 }],
  ['/users/update', { organizationId, users: [{ ...from, name: 'New Name' }] }],
  [
    '/organizations/usergroups/add',
    { organizationId, organizationUserGroups: [{ groupId: 'yourGroupId', groupName: 'Group' }] },
  ],
  [
    '/organizations/usergroups/users/add',
    { organizationId, organizationUserGroupId: 'yourGroupId', userIds: [from.userId] },
  ],
  [
    '/organizations/usergroups/users/delete',
    { organizationId, organizationUserGroupId: 'yourGroupId', deleteAll: true },
  ],
  ['/commentannotations/add', { ...place, commentAnnotations: [annotation], verifyUserPermissions: false }],
  ['/commentannotations/get', { organizationId, documentIds: [documentId], order: 'desc', pageSize: 10 }],
  ['/commentannotations/count/get', { organizationId, documentIds: [documentId], userId: from.userId }],
  ['/commentannotations/comments/add', { ...thread, commentData: [{ ...comment, commentId: 153784 }] }],
  ['/commentannotations/comments/get', { ...thread, commentIds: [153783, 153784] }],
  [
    '/commentannotations/comments/update',
    { ...thread, commentIds: [153784], updatedData: { commentText: 'New', commentHtml: '<p>New</p>', from } },
  ],
  ['/commentannotations/comments/delete', { ...thread, commentIds: [153784] }],
  ['/commentannotations/update', { ...place, annotationIds: [annotationId], updatedData: { status } }],
  ['/commentannotations/delete', { ...place, annotationIds: [annotationId] }],
  ['/notifications/add', notification],
  ['/notifications/get', { organizationId, userId: 'otherUserId', pageSize: 10, order: 'desc' }],
  [
    '/notifications/update',
    { organizationId, notifications: [{ id: 'yourNotificationId', readByUserIds: ['otherUserId'] }] },
  ],
  [
    '/notifications/config/set',
    { organizationId, userIds: [from.userId], config: { inbox: 'ALL', email: 'NONE', slack: 'MINE' } },
  ],
  ['/notifications/config/get', { organizationId, userId: from.userId, getOrganizationConfig: true }],
  ['/notifications/delete', { organizationId, notificationIds: ['yourNotificationId'] }],
  ['/activities/add', { ...place, activities: [activity] }],
  ['/activities/get', { organizationId, featureTypes: ['custom'], order: 'asc', pageSize: 10 }],
  ['/activities/update', { organizationId, activities: [{ id: 'yourActivityId', actionIcon: 'star' }] }],
  ['/activities/delete', { organizationId, activityIds: ['yourActivityId'] }],
  ['/users/data/get', { organizationId, userId: from.userId }],
  ['/users/delete', { organizationId, userIds: [from.userId] }],
  ['/organizations/documents/delete', { organizationId, documentIds: [documentId] }],
  ['/organizations/folders/delete', { organizationId, folderId: 'yourFolderId' }],
  ['/organizations/delete', { organizationIds: [organizationId] }],
]

/** Operations that have a path under /v1 too. */
const v1 = v2.filter(([path]) => !/activities|folders\/delete$/.test(path))

test('a client of the hosted API runs unchanged against /v2', async () => {
  for (const [path, data] of v2) await succeeds(`/v2${path}`, data)
})

test('a client of the hosted API runs unchanged against /v1', async () => {
  for (const [path, data] of v1) await succeeds(`/v1${path}`, data)
})

/** A success in the envelope, without a failed item. */
async function succeeds(path: string, data: object): Promise<void> {
  const { status, body } = await send(path, data)
  expect({ path, status, body }).toMatchObject({
    path,
    status: 200,
    body: { result: { status: 'success', message: expect.any(String) } },
  })
  const items: unknown[] = Object.values(body.result.data ?? {})
  expect({ path, failed: items.filter((item) => isFailure(item)) }).toEqual({ path, failed: [] })
}

const isFailure = (item: unknown) => item === null || (typeof item === 'object' && 'success' in item && !item.success)
