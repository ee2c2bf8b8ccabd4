import { randomUUID } from 'node:crypto'
import { assert, beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

const PAST = 1_600_000_000
const FUTURE = 4_000_000_000

let service: Service
let ws: TestWorkspace
let organizationId: string

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

beforeEach(async () => {
  organizationId = randomUUID()
  await ws.ok('/v2/users/add', { organizationId, users: [{ userId: 'member', accessRole: 'viewer' }] })
  await ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId: 'f' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'd' }] })
})

const resource = (type: string, more: object = {}) => ({ type, id: type.charAt(0), organizationId, ...more })
const grant = (userId: string, ...resources: object[]) =>
  ws.ok('/v2/auth/permissions/add', { user: { userId }, permissions: { resources } })
const remove = (userId: string, ...resources: object[]) =>
  ws.ok('/v2/auth/permissions/remove', { userId, permissions: { resources } })
async function get(userId: string, more: object = { folderIds: ['f'], documentIds: ['d'] }) {
  const { data } = await ws.ok('/v2/auth/permissions/get', { organizationId, userIds: [userId], ...more })
  assert(data[userId])
  return data[userId]
}
const restrict = (accessType = 'restricted') =>
  ws.ok('/v2/organizations/documents/access/update', { organizationId, documentIds: ['d'], accessType })

test('permissions are added on organizations, folders and documents, as an editor unless stated', async () => {
  const result = await grant('u', { type: 'organization', id: organizationId }, resource('folder'), {
    ...resource('document'),
    accessRole: 'viewer',
  })
  expect(result).toEqual({ status: 'success', message: 'Permissions added successfully.' })
  expect(await get('u')).toEqual({
    organization: { [organizationId]: { accessRole: 'editor' } },
    folders: { f: { accessRole: 'editor', accessType: 'public' } },
    documents: { d: { accessRole: 'viewer', accessType: 'public' } },
  })
})

test('a document or folder needs its organization, and all resources must exist: else nothing is written', async () => {
  const call = (...resources: object[]) =>
    ws.call('/v2/auth/permissions/add', { user: { userId: 'u' }, permissions: { resources } })
  const { body } = await call({ type: 'document', id: 'd' })
  const path = 'permissions.resources[0].organizationId'
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path }] } })
  for (const missing of [resource('document', { id: 'none' }), resource('folder', { organizationId: 'none' })]) {
    expect((await call(resource('folder'), missing)).body.error.status).toBe('NOT_FOUND')
  }
  expect((await call({ type: 'organization', id: 'none' })).body.error.status).toBe('NOT_FOUND')
  expect((await get('u')).organization[organizationId]?.errorCode).toBe('permission_denied')
})

test('expiresAt is accepted in seconds and answered in milliseconds', async () => {
  await grant('u', resource('document', { expiresAt: FUTURE }), resource('folder', { expiresAt: FUTURE * 1000 }))
  const { documents, folders } = await get('u')
  expect([documents.d?.expiresAt, folders.f?.expiresAt]).toEqual([FUTURE * 1000, FUTURE * 1000])
})

test('an expired grant is a denied one, even on a public document', async () => {
  await grant('u', resource('document', { expiresAt: PAST }))
  expect((await get('u')).documents.d).toEqual({
    error: 'User does not have access to document',
    errorCode: 'permission_denied',
    accessType: 'public',
  })
  await grant('u', resource('document', { expiresAt: FUTURE }))
  expect((await get('u')).documents.d).toMatchObject({ accessRole: 'editor', expiresAt: FUTURE * 1000 })
})

test('a permanent grant is not overwritten by a temporary one, but by a permanent one', async () => {
  await grant('u', resource('document'))
  await grant('u', resource('document', { accessRole: 'viewer', expiresAt: PAST }))
  expect((await get('u')).documents.d).toEqual({ accessRole: 'editor', accessType: 'public' })
  await grant('u', resource('document', { accessRole: 'viewer' }))
  expect((await get('u')).documents.d).toMatchObject({ accessRole: 'viewer' })
})

test('get denies what is restricted and not granted', async () => {
  await restrict()
  expect((await get('member')).documents.d).toMatchObject({ errorCode: 'permission_denied', accessType: 'restricted' })
  await grant('member', resource('document'))
  expect((await get('member')).documents.d).toEqual({ accessRole: 'editor', accessType: 'restricted' })
})

test('what does not exist is NOT_FOUND with every entry in details, or an entry when the caller asks for it', async () => {
  const asked = { organizationId, userIds: ['member'], documentIds: ['d', 'none'], folderIds: ['none'] }
  const entries = {
    member: {
      organization: { [organizationId]: { accessRole: 'viewer' } },
      folders: { none: { error: 'Folder does not exist', errorCode: 'does_not_exist' } },
      documents: {
        d: { accessRole: 'viewer', accessType: 'public' },
        none: { error: 'Document does not exist', errorCode: 'does_not_exist' },
      },
    },
  }
  const { body } = await ws.call('/v2/auth/permissions/get', asked)
  expect(body.error).toMatchObject({
    status: 'NOT_FOUND',
    message: 'Folder or document does not exist',
    details: entries,
  })
  const { data } = await ws.ok('/v2/auth/permissions/get', { ...asked, skipResourceExistenceValidation: true })
  expect(data).toEqual(entries)
  const elsewhere = await ws.call('/v2/auth/permissions/get', { organizationId: randomUUID(), userIds: ['member'] })
  expect(elsewhere.body.error.status).toBe('NOT_FOUND')
})

test('without folderIds and documentIds get answers everything that was granted; an empty list means none', async () => {
  await grant('u', resource('folder'), resource('document', { expiresAt: PAST }))
  const everything = await get('u', {})
  expect(Object.keys(everything.folders)).toEqual(['f'])
  expect(Object.keys(everything.documents)).toEqual(['d'])
  expect(await get('u', { folderIds: [] })).toMatchObject({ folders: {}, documents: {} })
})

test('get ignores that a document is disabled', async () => {
  await ws.ok('/v2/organizations/documents/access/disablestate/update', {
    organizationId,
    documentIds: ['d'],
    disabled: true,
  })
  expect((await get('member')).documents.d).toMatchObject({ accessRole: 'viewer' })
})

test('more than 10,000 pairs of users and resources are INVALID_ARGUMENT', async () => {
  const userIds = Array.from({ length: 1000 }, (_, index) => `u${index}`)
  const documentIds = userIds.slice(0, 10)
  const { body } = await ws.call('/v2/auth/permissions/get', { organizationId, userIds, documentIds })
  expect(body.error.status).toBe('INVALID_ARGUMENT')
})

test('permissions are removed from the resources themselves; what is not there succeeds', async () => {
  await restrict()
  await grant('u', { type: 'organization', id: organizationId }, resource('folder'), resource('document'))
  const result = await remove(
    'u',
    resource('document'),
    { type: 'folder', id: 'f' },
    resource('document', { id: 'none' }),
  )
  expect(result).toEqual({ status: 'success', message: 'Permissions removed successfully.' })
  const { data } = await ws.ok('/v2/users/get', { organizationId, folderId: 'f' })
  expect(data).toEqual([])
  expect(await get('u')).toMatchObject({
    organization: { [organizationId]: { accessRole: 'editor' } },
    documents: { d: { errorCode: 'permission_denied' } },
  })
  await remove('u', { type: 'organization', id: organizationId })
  await remove('nobody', { type: 'organization', id: 'nowhere' })
  expect((await get('u')).organization[organizationId]?.errorCode).toBe('permission_denied')
})

test('removing needs the organization of a document, and stays within that of a folder', async () => {
  const call = await ws.call('/v2/auth/permissions/remove', {
    userId: 'u',
    permissions: { resources: [{ type: 'document', id: 'd' }] },
  })
  expect(call.body.error.details.issues[0].path).toBe('permissions.resources[0].organizationId')
  await grant('u', resource('folder'))
  await remove('u', resource('folder', { organizationId: 'elsewhere' }))
  expect((await ws.ok('/v2/users/get', { organizationId, folderId: 'f' })).data).toHaveLength(1)
})
