import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

const PAST = 1_600_000_000_000

let service: Service
let ws: TestWorkspace
let organizationId: string

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

// Folders top > sub, document d in sub, document free in none; the users m (member) and o (outsider) exist.
beforeEach(async () => {
  organizationId = randomUUID()
  await ws.ok('/v2/users/add', { organizationId, users: [{ userId: 'm' }] })
  await ws.ok('/v2/users/add', { organizationId: 'elsewhere', users: [{ userId: 'o' }] })
  await ws.ok('/v2/organizations/folders/add', {
    organizationId,
    folders: [{ folderId: 'top' }, { folderId: 'sub', parentFolderId: 'top' }],
  })
  await ws.ok('/v2/organizations/documents/add', { organizationId, folderId: 'sub', documents: [{ documentId: 'd' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'free' }] })
})

const restrict = (accessType: string, documentIds = ['d']) =>
  ws.ok('/v2/organizations/documents/access/update', { organizationId, documentIds, accessType })
const grant = (userId: string, type: string, id: string, more: object = {}) =>
  ws.ok('/v2/auth/permissions/add', {
    user: { userId },
    permissions: { resources: [{ type, id, organizationId, ...more }] },
  })
const check = async (userId: string, type: string, id: string, action = 'view') => {
  const checks = [{ userId, resource: { type, id }, action }]
  return (await ws.ok('/v2/auth/permissions/check', { organizationId, checks })).data[0]
}

test('public admits anyone as an editor', async () => {
  const answer = { allowed: true, accessRole: 'editor', reason: 'public', via: null, accessType: 'public' }
  expect(await check('o', 'document', 'd', 'edit')).toEqual(answer)
  expect(await check('never seen', 'folder', 'top')).toEqual(answer)
})

test('restricted needs a grant at the document or a folder above it', async () => {
  await restrict('restricted')
  expect(await check('m', 'document', 'd')).toMatchObject({ allowed: false, accessRole: null, reason: 'restricted' })
  await grant('o', 'folder', 'top')
  const via = { type: 'folder', id: 'top', expiresAt: null }
  expect(await check('o', 'document', 'd', 'edit')).toMatchObject({ allowed: true, reason: 'grant', via })
})

test('organizationPrivate admits the users of the organization', async () => {
  await restrict('organizationPrivate')
  const via = { type: 'organization', id: organizationId, expiresAt: null }
  expect(await check('m', 'document', 'd')).toMatchObject({ allowed: true, reason: 'grant', via })
  expect(await check('o', 'document', 'd')).toMatchObject({ allowed: false, reason: 'organization_private' })
})

test('the nearest grant decides the role, and a viewer may not edit', async () => {
  await grant('m', 'folder', 'top', { accessRole: 'viewer' })
  const via = { type: 'folder', id: 'top', expiresAt: null }
  expect(await check('m', 'document', 'd', 'edit')).toEqual({
    allowed: false,
    accessRole: 'viewer',
    reason: 'viewer',
    via,
    accessType: 'public',
  })
  expect(await check('m', 'document', 'd')).toMatchObject({ allowed: true, accessRole: 'viewer' })
  await grant('m', 'document', 'd', { accessRole: 'editor' })
  expect(await check('m', 'document', 'd', 'edit')).toMatchObject({ allowed: true, via: { type: 'document', id: 'd' } })
})

test('a grant that has expired does not count; a farther one that lives does', async () => {
  await restrict('restricted')
  await grant('o', 'document', 'd', { expiresAt: PAST })
  const via = { type: 'document', id: 'd', expiresAt: PAST }
  expect(await check('o', 'document', 'd')).toMatchObject({ allowed: false, reason: 'expired', via })
  await grant('o', 'folder', 'sub', { accessRole: 'viewer', expiresAt: 4_000_000_000 })
  expect(await check('o', 'document', 'd')).toMatchObject({
    allowed: true,
    accessRole: 'viewer',
    via: { type: 'folder', id: 'sub', expiresAt: 4_000_000_000_000 },
  })
})

test('a folder passes its access type on while the folders below inherit', async () => {
  const update = (data: object) => ws.ok('/v2/organizations/folders/access/update', { organizationId, ...data })
  await update({ folderIds: ['top'], accessType: 'restricted' })
  expect(await check('m', 'document', 'd')).toMatchObject({ allowed: false, accessType: 'restricted' })
  await update({ folderIds: ['sub'], accessType: 'public' })
  expect(await check('m', 'document', 'd')).toMatchObject({ allowed: true, accessType: 'public' })
  await restrict('organizationPrivate')
  expect(await check('o', 'document', 'd')).toMatchObject({ allowed: false, accessType: 'organizationPrivate' })
})

test('a changed default of the API key holds for new documents at the top level, and changes none that exist', async () => {
  const add = (data: object) => ws.ok('/v2/organizations/documents/add', { organizationId, ...data })
  await ws.ok('/v2/workspace/apikeyconfig/update', { defaultDocumentAccessType: 'restricted' })
  expect(await check('m', 'document', 'free')).toMatchObject({ allowed: true, accessType: 'public' })
  await add({ documents: [{ documentId: 'later' }] })
  await add({ documents: [{ documentId: 'within' }], folderId: 'top' })
  await ws.ok('/v2/workspace/apikeyconfig/update', { defaultDocumentAccessType: 'public' })
  expect(await check('m', 'document', 'later')).toMatchObject({ allowed: false, accessType: 'restricted' })
  expect(await check('m', 'document', 'within')).toMatchObject({ accessType: 'public' })
})

test('a disabled document or organization admits nobody', async () => {
  await grant('m', 'document', 'd')
  await ws.ok('/v2/organizations/documents/access/disablestate/update', {
    organizationId,
    documentIds: ['d'],
    disabled: true,
  })
  expect(await check('m', 'document', 'd')).toMatchObject({ allowed: false, reason: 'disabled', via: null })
  expect(await check('m', 'document', 'free')).toMatchObject({ allowed: true })
  await ws.ok('/v2/organizations/access/disablestate/update', { organizationIds: [organizationId], disabled: true })
  expect(await check('m', 'document', 'free')).toMatchObject({ allowed: false, reason: 'disabled' })
})

test('an organization admits its users', async () => {
  expect(await check('m', 'organization', organizationId, 'edit')).toMatchObject({ allowed: true, accessType: null })
  expect(await check('o', 'organization', organizationId)).toMatchObject({ allowed: false, reason: 'not_a_member' })
})

test('unknown users and resources are told, in the order of the request', async () => {
  await restrict('restricted')
  const checks = [
    { userId: 'm', resource: { type: 'document', id: 'none' }, action: 'view' },
    { userId: randomUUID(), resource: { type: 'document', id: 'd' }, action: 'view' },
    { userId: 'm', resource: { type: 'organization', id: 'elsewhere' }, action: 'view' },
    { userId: 'm', resource: { type: 'folder', id: 'd' }, action: 'view' },
    { userId: 'm', resource: { type: 'document', id: 'free' }, action: 'edit' },
  ]
  const { data } = await ws.ok('/v2/auth/permissions/check', { organizationId, checks })
  expect(data.map(({ reason }) => reason)).toEqual([
    'unknown_resource',
    'unknown_user',
    'unknown_resource',
    'unknown_resource',
    'grant',
  ])
  const nowhere = await ws.ok('/v2/auth/permissions/check', { organizationId: randomUUID(), checks: checks.slice(4) })
  expect(nowhere.data).toMatchObject([{ allowed: false, reason: 'unknown_resource' }])
  expect((await ws.ok('/v2/auth/permissions/check', { organizationId, checks: [] })).data).toEqual([])
})

test('a document that is deleted and added again starts without any access', async () => {
  await grant('o', 'document', 'd')
  await ws.ok('/v2/organizations/documents/delete', { organizationId, documentIds: ['d'] })
  await ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'd' }] })
  await restrict('restricted')
  expect(await check('o', 'document', 'd')).toMatchObject({ allowed: false, reason: 'restricted' })
})

test('another API key knows nothing of it', async () => {
  const other = await newWorkspace(service)
  const checks = [{ userId: 'm', resource: { type: 'organization', id: organizationId }, action: 'view' }]
  const { data } = await other.ok('/v2/auth/permissions/check', { organizationId, checks })
  expect(data).toMatchObject([{ allowed: false, reason: 'unknown_resource' }])
})

test('calls at the same time get each their own answers', async () => {
  await restrict('restricted')
  await grant('o', 'document', 'd', { accessRole: 'viewer' })
  const other = await newWorkspace(service)
  await other.ok('/v2/users/add', { organizationId, users: [{ userId: 'm' }] })
  await other.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'd' }] })
  const d = { type: 'document', id: 'd' }
  const free = { type: 'document', id: 'free' }
  const asked = [
    { by: ws, checks: [{ userId: 'm', resource: d, action: 'view' }], reasons: ['restricted'] },
    { by: other, checks: [{ userId: 'm', resource: d, action: 'view' }], reasons: ['grant'] },
    {
      by: ws,
      checks: [
        { userId: 'o', resource: d, action: 'edit' },
        { userId: 'o', resource: free, action: 'view' },
      ],
      reasons: ['viewer', 'public'],
    },
    { by: other, checks: [{ userId: 'o', resource: free, action: 'view' }], reasons: ['unknown_resource'] },
    { by: ws, checks: [], reasons: [] },
    {
      by: ws,
      checks: Array.from({ length: 11 }, () => ({ userId: 'o', resource: d, action: 'view' })),
      reasons: Array.from({ length: 11 }, () => 'grant'),
    },
  ]
  const calls = Array.from({ length: 20 }, () => asked).flat()
  const answers = await Promise.all(
    calls.map(({ by, checks }) => by.ok('/v2/auth/permissions/check', { organizationId, checks })),
  )
  expect(answers.map(({ data }) => data.map(({ reason }) => reason))).toEqual(calls.map(({ reasons }) => reasons))
})

test('a viewer may view and comment, and may not edit', async () => {
  const ws = await newWorkspace(await startService())
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'vic', accessRole: 'viewer' }] })
  const resource = { type: 'organization', id: 'acme' }
  const checks = ['view', 'comment', 'edit'].map((action) => ({ userId: 'vic', resource, action }))
  const { data } = await ws.ok('/v2/auth/permissions/check', { organizationId: 'acme', checks })
  expect(data.map(({ allowed, reason }) => [allowed, reason])).toEqual([
    [true, 'grant'],
    [true, 'grant'],
    [false, 'viewer'],
  ])
})
