import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'

let ws: TestWorkspace
let organizationId: string
beforeAll(async () => {
  ws = await newWorkspace(await startService())
})

const update = (...folders: object[]) => ws.ok('/v2/organizations/folders/update', { organizationId, folders })

async function accessOf(folderId: string) {
  const { data } = await ws.ok('/v2/organizations/folders/get', { organizationId, folderId })
  return [data[0]?.accessType, data[0]?.inheritAccessFromParent]
}

beforeEach(async () => {
  organizationId = randomUUID()
  await ws.ok('/v2/organizations/folders/add', {
    organizationId,
    createOrganization: true,
    folders: [
      { folderId: 'top' },
      { folderId: 'child', parentFolderId: 'top' },
      { folderId: 'leaf', parentFolderId: 'child' },
      { folderId: 'own', accessType: 'public' },
      { folderId: 'restricted', accessType: 'restricted' },
    ],
  })
})

test('a moved folder inherits from its new parent, and so does everything in it', async () => {
  await update({ folderId: 'child', parentFolderId: 'restricted' })
  expect(await accessOf('child')).toEqual(['restricted', true])
  expect(await accessOf('leaf')).toEqual(['restricted', true])
})

test('only an explicitly set type is a folder’s own: a top-level one that was given none inherits where it is moved to', async () => {
  expect(await accessOf('top')).toEqual(['public', false])
  await update({ folderId: 'top', parentFolderId: 'restricted' }, { folderId: 'own', parentFolderId: 'restricted' })
  expect(await accessOf('top')).toEqual(['restricted', true])
  expect(await accessOf('leaf')).toEqual(['restricted', true])
  expect(await accessOf('own')).toEqual(['public', false])
})

test('an access type that comes with the move is the folder’s own', async () => {
  await update({ folderId: 'top', parentFolderId: 'restricted', accessType: 'public' })
  expect(await accessOf('top')).toEqual(['public', false])
})

test('a folder that is moved to a more open place keeps what it inherited as its own', async () => {
  await update({ folderId: 'child', parentFolderId: 'restricted' })
  await update({ folderId: 'child', parentFolderId: 'top' })
  expect(await accessOf('child')).toEqual(['restricted', false])
  expect(await accessOf('leaf')).toEqual(['restricted', true])
  await update({ folderId: 'leaf', parentFolderId: 'root' })
  expect(await accessOf('leaf')).toEqual(['restricted', false])
})
