import { beforeAll, beforeEach, expect, test } from 'vitest'
import { FOLDER_TREE } from '../../../test/folder-tree.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace
let organizationId: string
let count = 0
beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})
beforeEach(async () => {
  organizationId = `organization-${count++}`
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId }] })
})

interface Folder {
  folderId: string
  accessType: string
  [key: string]: unknown
}

const add = (...folders: object[]) => ws.ok('/v2/organizations/folders/add', { organizationId, folders })
const update = (...folders: object[]) => ws.ok('/v2/organizations/folders/update', { organizationId, folders })
const setAccess = (folderIds: string[], fields: object) =>
  ws.ok('/v2/organizations/folders/access/update', { organizationId, folderIds, ...fields })

async function get(filter: object = {}): Promise<Folder[]> {
  return (await ws.ok('/v2/organizations/folders/get', { organizationId, ...filter })).data
}

async function one(folderId: string): Promise<Folder> {
  const [folder] = await get({ folderId })
  if (!folder) throw new Error(`no folder ${folderId}`)
  return folder
}

const addTree = () => add(...FOLDER_TREE)

test('a child folder inherits its parent’s access type unless it is given one; a top-level one does not inherit', async () => {
  await addTree()
  await add({ folderId: 'own', parentFolderId: 'a', accessType: 'public' })
  const { data } = await setAccess(['a', 'nowhere'], { accessType: 'restricted' })
  expect(data).toEqual({
    a: { success: true, accessType: 'restricted', inheritFromParent: false, message: 'Folder access type updated.' },
    nowhere: { success: false, message: 'Folder does not exist.' },
  })
  const access = async (id: string) => {
    const { accessType, inheritAccessFromParent } = await one(id)
    return [accessType, inheritAccessFromParent]
  }
  expect(await access('a')).toEqual(['restricted', false])
  expect(await access('d')).toEqual(['restricted', true])
  expect(await access('own')).toEqual(['public', false])
})

test('setting accessType ends the inheritance, inheritFromParent takes the own access type away', async () => {
  await addTree()
  await setAccess(['a'], { accessType: 'restricted' })
  await setAccess(['c'], { accessType: 'public' })
  expect(await one('c')).toMatchObject({ accessType: 'public', inheritAccessFromParent: false })
  expect((await one('d')).accessType).toBe('public')
  const { data } = await setAccess(['c'], { inheritFromParent: true })
  const message = 'Folder access type updated.'
  expect(data.c).toEqual({ success: true, accessType: null, inheritFromParent: true, message })
  expect((await one('d')).accessType).toBe('restricted')
  await update({ folderId: 'b', accessType: 'organizationPrivate' })
  expect(await one('b')).toMatchObject({ accessType: 'organizationPrivate', inheritAccessFromParent: false })
  expect((await one('d')).accessType).toBe('organizationPrivate')
})

test('inheritFromParent: false alone keeps what the folder inherited as its own', async () => {
  await addTree()
  await setAccess(['a'], { accessType: 'restricted' })
  const { data } = await setAccess(['b'], { inheritFromParent: false })
  expect(data.b).toMatchObject({ success: true, accessType: 'restricted', inheritFromParent: false })
  await setAccess(['a'], { accessType: 'public' })
  expect(await one('b')).toMatchObject({ accessType: 'restricted', inheritAccessFromParent: false })
})

test('an access update that changes nothing is refused', async () => {
  await addTree()
  const { status, body } = await ws.call('/v2/organizations/folders/access/update', {
    organizationId,
    folderIds: ['a'],
  })
  expect([status, body.error.message]).toEqual([400, 'accessType is required without inheritFromParent'])
})

test('a folder at the top level that is to inherit gets the default access type of the API key', async () => {
  const own = await newWorkspace(service)
  await own.ok('/v2/workspace/apikeyconfig/update', { defaultDocumentAccessType: 'restricted' })
  const folders = [{ folderId: 'a', accessType: 'public' }]
  await own.ok('/v2/organizations/folders/add', { organizationId, createOrganization: true, folders })
  const request = { organizationId, folderIds: ['a'], inheritFromParent: true }
  const { data } = await own.ok('/v2/organizations/folders/access/update', request)
  expect(data.a).toMatchObject({ success: true, accessType: 'restricted', inheritFromParent: false })
})

test('beside inheritFromParent: true an accessType does not matter', async () => {
  await addTree()
  const { data } = await ws.ok('/v2/organizations/folders/access/update', {
    organizationId,
    folderIds: ['c'],
    accessType: 'restricted',
    inheritFromParent: true,
  })
  expect(data.c).toMatchObject({ success: true, accessType: null, inheritFromParent: true })
  expect(await one('c')).toMatchObject({ accessType: 'public', inheritAccessFromParent: true })
})

test('new folders at the top level get the default access type of the API key', async () => {
  const own = await newWorkspace(service)
  await own.ok('/v2/workspace/apikeyconfig/update', { defaultDocumentAccessType: 'restricted' })
  const folders = [{ folderId: 'a' }, { folderId: 'b', parentFolderId: 'a' }, { folderId: 'c', accessType: 'public' }]
  await own.ok('/v2/organizations/folders/add', { organizationId, createOrganization: true, folders })
  const { data } = await own.ok('/v2/organizations/folders/get', { organizationId })
  expect(data.map(({ accessType }: Folder) => accessType)).toEqual(['restricted', 'restricted', 'public'])
})
