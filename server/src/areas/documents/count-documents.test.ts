import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'

const organizationId = 'acme'
let ws: TestWorkspace

beforeAll(async () => {
  ws = await newWorkspace(await startService())
  const add = (documents: object[], more: object = {}) =>
    ws.ok('/v2/organizations/documents/add', { organizationId, documents, ...more })
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId }] })
  await add([
    { documentId: 'a', team: 'red' },
    { documentId: 'b', team: 'blue' },
  ])
  await add([{ documentId: 'c', team: 'red' }], { folderId: 'f', createFolder: true })
})

const count = (data: object = {}) => ws.ok('/v2/organizations/documents/count', { organizationId, ...data })
const issueOf = async (data: object) =>
  (await ws.call('/v2/organizations/documents/count', { organizationId, ...data })).body.error

test('documents/count counts the documents of an organization, of a folder, or in none', async () => {
  expect(await count()).toEqual({
    status: 'success',
    message: 'Document count retrieved successfully.',
    data: { count: 3 },
  })
  expect((await count({ folderId: 'f' })).data).toEqual({ count: 1 })
  expect((await count({ folderId: 'root' })).data).toEqual({ count: 2 })
  expect((await count({ excludeFolderDocs: true })).data).toEqual({ count: 2 })
})

test('documents/count counts what passes the filters and says that they were applied', async () => {
  const filters = [{ key: 'team', operator: 'in', value: ['red'] }]
  expect((await count({ filters })).data).toEqual({ count: 2, filtersApplied: true })
  expect((await count({ filters, folderId: 'f' })).data).toEqual({ count: 1, filtersApplied: true })
})

test('documents/count refuses excludeFolderDocs beside filters or a folder', async () => {
  const filters = [{ key: 'team', operator: '==', value: 'red' }]
  for (const data of [{ filters }, { folderId: 'f' }])
    expect(await issueOf({ excludeFolderDocs: true, ...data })).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining('excludeFolderDocs'),
    })
})

test('documents/count of an organization or folder that does not exist is NOT_FOUND', async () => {
  expect((await issueOf({ organizationId: 'nowhere' }))?.status).toBe('NOT_FOUND')
  expect((await issueOf({ folderId: 'nowhere' }))?.status).toBe('NOT_FOUND')
})
