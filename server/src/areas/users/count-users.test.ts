import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

const organizationId = 'acme'
let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  const add = (userIds: string[], more: object = {}) =>
    ws.ok('/v2/users/add', { organizationId, users: userIds.map((userId) => ({ userId })), ...more })
  await add(['ada', 'bob', 'eve'])
  await add(['ada', 'guest'], { documentId: 'd', createDocument: true })
  await add(['guest'], { folderId: 'f', createFolder: true })
})

const count = (data: object = {}) => ws.ok('/v2/users/count', { organizationId, ...data })

test('users/count counts the users of an organization, a document or a folder', async () => {
  expect(await count()).toEqual({
    status: 'success',
    message: 'User count retrieved successfully.',
    data: { count: 3 },
  })
  expect((await count({ documentId: 'd' })).data).toEqual({ count: 2 })
  expect((await count({ folderId: 'f' })).data).toEqual({ count: 1 })
})

test('users/count counts no access that has expired', async () => {
  const inAnHour = Date.now() + 3_600_000
  await ws.ok('/v2/auth/permissions/add', {
    user: { userId: 'temp' },
    permissions: { resources: [{ type: 'document', id: 'd', organizationId, expiresAt: inAnHour }] },
  })
  expect((await count({ documentId: 'd' })).data).toEqual({ count: 3 })
  await service.database.query(sql`
    update access_grant set expires_at = 1 where api_key = ${ws.apiKey} and expires_at is not null`)
  expect((await count({ documentId: 'd' })).data).toEqual({ count: 2 })
})

test('users/count refuses a document together with a folder, and knows no level that does not exist', async () => {
  const statusOf = async (data: object) =>
    (await ws.call('/v2/users/count', { organizationId, ...data })).body.error?.status
  expect(await statusOf({ documentId: 'd', folderId: 'f' })).toBe('INVALID_ARGUMENT')
  expect(await statusOf({ documentId: 'nowhere' })).toBe('NOT_FOUND')
  expect(await statusOf({ organizationId: 'nowhere' })).toBe('NOT_FOUND')
})
