import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'

const organizationId = 'o'
let ws: TestWorkspace
beforeAll(async () => {
  ws = await newWorkspace(await startService())
  const folders = [
    { folderId: 'f', accessType: 'restricted' },
    { folderId: 'g', accessType: 'organizationPrivate' },
  ]
  await ws.ok('/v2/organizations/folders/add', { organizationId, createOrganization: true, folders })
})

test('a document that is moved to a more open place keeps the access type it had, in a stricter one it inherits', async () => {
  const ok = (name: string, data: object) => ws.ok(`/v2/organizations/documents/${name}`, { organizationId, ...data })
  await ok('add', { documents: [{ documentId: 'x' }, { documentId: 'y' }], folderId: 'f' })
  await ok('add', { documents: [{ documentId: 'z' }], folderId: 'g' })
  await ok('move', { documentIds: ['x'], folderId: 'root' })
  await ok('move', { documentIds: ['y'], folderId: 'g' })
  await ok('move', { documentIds: ['z'], folderId: 'f' })
  const types = async () => {
    const { data } = await ws.ok('/v2/organizations/documents/get', { organizationId })
    return Object.fromEntries(data.map(({ id, accessType }) => [id, accessType]))
  }
  expect(await types()).toEqual({ x: 'restricted', y: 'restricted', z: 'restricted' })
  const folder = { organizationId, folderIds: ['f'], accessType: 'public' }
  await ws.ok('/v2/organizations/folders/access/update', folder)
  expect(await types()).toEqual({ x: 'restricted', y: 'restricted', z: 'public' })
})
