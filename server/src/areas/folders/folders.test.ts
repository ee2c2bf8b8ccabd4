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
  ancestors: string[]
  accessType: string
  subFolders?: Folder[]
  [key: string]: unknown
}

const add = (...folders: object[]) => ws.ok('/v2/organizations/folders/add', { organizationId, folders })
const update = (...folders: object[]) => ws.ok('/v2/organizations/folders/update', { organizationId, folders })
const remove = (folderId: string) => ws.ok('/v2/organizations/folders/delete', { organizationId, folderId })

async function get(filter: object = {}): Promise<Folder[]> {
  return (await ws.ok('/v2/organizations/folders/get', { organizationId, ...filter })).data
}

async function one(folderId: string): Promise<Folder> {
  const [folder] = await get({ folderId })
  if (!folder) throw new Error(`no folder ${folderId}`)
  return folder
}

const addTree = () => add(...FOLDER_TREE)

test('a folder has the fields of the specification and keeps fields of your own', async () => {
  const before = Date.now() - 60_000
  const { data, message } = await add({ folderId: 'a', folderName: 'A', path: 'mine', apiKey: 'forged' })
  expect(message).toBe('Folder created successfully.')
  expect(data).toEqual({ a: { success: true, id: 'a', message: 'Folder added.' } })
  const folder = await one('a')
  expect(folder).toEqual({
    folderId: 'a',
    folderName: 'A',
    organizationId,
    parentFolderId: 'root',
    apiKey: ws.apiKey,
    createdAt: expect.any(Number),
    lastUpdated: expect.any(Number),
    ancestors: ['root'],
    accessType: 'public',
    inheritAccessFromParent: false,
    path: 'mine',
  })
  expect(folder.createdAt).toBeGreaterThan(before)
})

test('a parent may exist already or come in the same request, in any order', async () => {
  const { data } = await add(
    { folderId: 'c', parentFolderId: 'b' },
    { folderId: 'b', parentFolderId: 'a' },
    { folderId: 'a' },
  )
  expect(Object.values<{ success: boolean }>(data).every(({ success }) => success)).toBe(true)
  await add({ folderId: 'd', parentFolderId: 'c' })
  expect(await one('d')).toMatchObject({ parentFolderId: 'c', ancestors: ['root', 'a', 'b', 'c'] })
})

test('add reports per folder what cannot be added and adds the rest', async () => {
  await add({ folderId: 'old', folderName: 'Old' })
  const { data } = await add(
    { folderId: 'old', folderName: 'New' },
    { folderId: 'lost', parentFolderId: 'nowhere' },
    { folderId: 'below-lost', parentFolderId: 'lost' },
    { folderId: 'x', parentFolderId: 'y' },
    { folderId: 'y', parentFolderId: 'x' },
    { folderId: 'self', parentFolderId: 'self' },
    { folderId: 'root' },
    { folderId: 'fine' },
  )
  const added = Object.entries<{ success: boolean }>(data).filter(([, { success }]) => success)
  expect(added.map(([id]) => id)).toEqual(['fine'])
  expect(data.old?.message).toBe('Folder already exists.')
  expect(data.lost?.message).toBe('Parent folder does not exist.')
  expect((await one('old')).folderName).toBe('Old')
  expect((await get()).map(({ folderId }) => folderId)).toEqual(['old', 'fine'])
})

test('add needs an organization that exists, unless createOrganization', async () => {
  const folders = [{ folderId: 'a' }]
  const path = '/v2/organizations/folders/add'
  expect((await ws.call(path, { organizationId: 'later', folders })).body.error.status).toBe('NOT_FOUND')
  await ws.ok(path, { organizationId: 'later', createOrganization: true, folders })
  expect((await ws.ok('/v2/organizations/get', { organizationIds: ['later'] })).data).toHaveLength(1)
})

test('folders nest at most 100 levels deep, by adding and by moving', async () => {
  const chain = Array.from({ length: 101 }, (_, i) => ({
    folderId: `${i}`,
    parentFolderId: i === 0 ? 'root' : `${i - 1}`,
  }))
  const { data } = await add(...chain)
  expect([data[99]?.success, data[100]?.success]).toEqual([true, false])
  await add({ folderId: 'top' }, { folderId: 'below' })
  const moved = await ws.ok('/v2/organizations/folders/update', {
    organizationId,
    folders: [
      { folderId: '0', parentFolderId: 'top', folderName: 'Renamed' },
      { folderId: 'below', parentFolderId: '0' },
      { folderId: 'top', parentFolderId: 'below' },
    ],
  })
  const tooDeep = { success: false, message: 'Folders nest at most 100 levels deep.' }
  expect(moved.data).toMatchObject({ 0: tooDeep, below: { success: true }, top: { success: true } })
  expect(await one('0')).toMatchObject({ parentFolderId: 'root', folderName: '' })
  expect((await one('top')).ancestors).toEqual(['root', '0', 'below'])
})

test('without folderId all folders are returned as a flat list, in the order in which they were added', async () => {
  await addTree()
  const folders = await get()
  expect(folders.map(({ folderId }) => folderId)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(folders.map(({ ancestors }) => ancestors.join('/'))).toEqual([
    'root',
    'root/a',
    'root/a/b',
    'root/a/b/c',
    'root',
  ])
  expect(folders.some((folder) => 'subFolders' in folder)).toBe(false)
  expect((await get({ rootFoldersOnly: true })).map(({ folderId }) => folderId)).toEqual(['a', 'e'])
})

test.each([
  [undefined, { folderId: 'b', below: [{ folderId: 'c' }] }],
  [0, { folderId: 'b' }],
  [1, { folderId: 'b', below: [{ folderId: 'c' }] }],
  [2, { folderId: 'b', below: [{ folderId: 'c', below: [{ folderId: 'd' }] }] }],
  [1e15, { folderId: 'b', below: [{ folderId: 'c', below: [{ folderId: 'd' }] }] }],
])(
  'with folderId and maxDepth %s that folder is returned with so many levels of subFolders',
  async (maxDepth, tree) => {
    await addTree()
    const folders = await get({ folderId: 'b', maxDepth })
    const outline = ({ folderId, subFolders }: Folder): object =>
      subFolders ? { folderId, below: subFolders.map(outline) } : { folderId }
    expect(folders.map(outline)).toEqual([tree])
    expect(folders[0]?.ancestors).toEqual(['root', 'a'])
  },
)

test('an unknown folder or organization is NOT_FOUND', async () => {
  const path = '/v2/organizations/folders/get'
  expect((await ws.call(path, { organizationId, folderId: 'nowhere' })).body.error.status).toBe('NOT_FOUND')
  expect((await ws.call(path, { organizationId: 'nowhere' })).body.error.status).toBe('NOT_FOUND')
})

test('folders/get needs the advanced-queries option', async () => {
  const own = await newWorkspace(service)
  await own.ok('/v2/organizations/add', { organizations: [{ organizationId }] })
  await own.ok('/v2/workspace/apikeyconfig/update', { advancedQueries: false })
  for (const id of [organizationId, 'nowhere']) {
    const { body } = await own.call('/v2/organizations/folders/get', { organizationId: id })
    expect(body.error.status).toBe('FAILED_PRECONDITION')
  }
})

test('folders come in pages when a pageSize is given', async () => {
  await addTree()
  const first = await ws.ok('/v2/organizations/folders/get', { organizationId, pageSize: 3 })
  const second = await ws.ok('/v2/organizations/folders/get', {
    organizationId,
    pageSize: 3,
    pageToken: first.pageToken,
  })
  expect([...first.data, ...second.data].map(({ folderId }) => folderId)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(second.data[0]?.ancestors).toEqual(['root', 'a', 'b', 'c'])
  expect(second.pageToken).toBeNull()
})

test('get with searchKey finds folders at any level by a part of their name or id, in upper or lower case', async () => {
  await add(
    { folderId: 'a', folderName: 'Archive' },
    { folderId: 'b', parentFolderId: 'a', folderName: 'Old ARCHIVES' },
  )
  await add({ folderId: 'archive-3', parentFolderId: 'b' }, { folderId: 'other', folderName: '100%' })
  const path = '/v2/organizations/folders/get'
  const ids = async (filter: object) =>
    (await ws.ok(path, { organizationId, ...filter })).data.map(({ folderId }) => folderId)
  expect(await ids({ searchKey: 'archive' })).toEqual(['a', 'b', 'archive-3'])
  expect(await ids({ searchKey: 'archive', rootFoldersOnly: true })).toEqual(['a'])
  expect(await ids({ searchKey: '%' })).toEqual(['other'])
  const first = await ws.ok(path, { organizationId, searchKey: 'archive', pageSize: 2 })
  expect(first.data[1]).toMatchObject({ folderId: 'b', ancestors: ['root', 'a'] })
  const next = { pageSize: 2, pageToken: first.pageToken }
  expect(await ids({ searchKey: 'archive', ...next })).toEqual(['archive-3'])
  expect((await ws.call(path, { organizationId, searchKey: 'other', ...next })).status).toBe(400)
  expect((await ws.call(path, { organizationId, searchKey: '' })).body.error.message).toContain('searchKey')
})

test('update renames, merges fields of your own, and reports unknown folders', async () => {
  await add({ folderId: 'a', folderName: 'A', x: 1, y: 1 })
  const { data, message } = await update({ folderId: 'a', folderName: 'B', y: 2 }, { folderId: 'nowhere' })
  expect(message).toBe('Folder Updated successfully.')
  expect(data).toEqual({
    a: { success: true, message: 'Folder Updated.' },
    nowhere: { success: false, message: 'Folder does not exist.' },
  })
  expect(await one('a')).toMatchObject({ folderName: 'B', x: 1, y: 2, parentFolderId: 'root' })
})

test('a move recomputes the ancestors of the whole subtree', async () => {
  await addTree()
  await update({ folderId: 'b', parentFolderId: 'e' })
  const ancestors = async (id: string) => (await one(id)).ancestors.join('/')
  expect(await Promise.all(['b', 'c', 'd'].map(ancestors))).toEqual(['root/e', 'root/e/b', 'root/e/b/c'])
  await update({ folderId: 'c', parentFolderId: 'root' })
  expect(await Promise.all(['b', 'c', 'd'].map(ancestors))).toEqual(['root/e', 'root', 'root/c'])
})

test('several moves of one request are done one after the other', async () => {
  await addTree()
  const { data } = await update(
    { folderId: 'c', parentFolderId: 'e' },
    { folderId: 'a', parentFolderId: 'c' },
    { folderId: 'e', parentFolderId: 'b' },
  )
  expect([data.c?.success, data.a?.success, data.e?.success]).toEqual([true, true, false])
  expect((await one('b')).ancestors).toEqual(['root', 'e', 'c', 'a'])
  expect((await one('d')).ancestors).toEqual(['root', 'e', 'c'])
})

test.each(['b', 'c', 'd'])('a move into itself or into its own subtree (%s) is refused', async (parentFolderId) => {
  await addTree()
  const { data } = await update({ folderId: 'b', parentFolderId }, { folderId: 'e', parentFolderId: 'nowhere' })
  expect(data.b).toEqual({ success: false, message: 'A folder cannot be moved into itself.' })
  expect(data.e).toEqual({ success: false, message: 'Parent folder does not exist.' })
  expect((await one('b')).ancestors).toEqual(['root', 'a'])
})

test('delete takes the subtree and its documents along', async () => {
  await addTree()
  const documents = (folderId?: string) => ({ organizationId, documents: [{ documentId: `in-${folderId}` }], folderId })
  for (const folderId of ['a', 'd', 'e']) await ws.ok('/v2/organizations/documents/add', documents(folderId))
  expect((await remove('b')).data).toBeNull()
  expect((await get()).map(({ folderId }) => folderId)).toEqual(['a', 'e'])
  const { data } = await ws.ok('/v2/organizations/documents/get', { organizationId })
  expect(data.map(({ id }) => id)).toEqual(['in-a', 'in-e'])
  const again = await ws.call('/v2/organizations/folders/delete', { organizationId, folderId: 'b' })
  expect(again.body.error.status).toBe('NOT_FOUND')
})
