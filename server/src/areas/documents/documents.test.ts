import { beforeAll, beforeEach, expect, test } from 'vitest'
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

const ALL = '/v2/organizations/documents'
const call = <Name extends string>(operation: Name, data: object) =>
  ws.call(`${ALL}/${operation}`, { organizationId, ...data })
const ok = <Name extends string>(operation: Name, data: object) =>
  ws.ok(`${ALL}/${operation}`, { organizationId, ...data })
const add = (documents: object[], options: object = {}) => ok('add', { documents, ...options })
const getV1 = (data: object = {}) => ws.ok('/v1/organizations/documents/get', { organizationId, ...data })
const ids = (result: { data: { id: string }[] }) => result.data.map(({ id }) => id)
const named = (...names: string[]) => names.map((documentId) => ({ documentId }))

test('add answers one result per document, with a 16-digit number', async () => {
  const { data, message } = await add(named('a', 'b'))
  expect(message).toBe('Document(s) added successfully.')
  const added = { success: true, id: expect.stringMatching(/^[1-9]\d{15}$/), message: 'Added Successfully' }
  expect(data).toEqual({ a: added, b: added })
  expect(data.b?.id).not.toBe(data.a?.id)
})

test('add of a document that exists fails for it alone and leaves it as it is', async () => {
  await add([{ documentId: 'a', documentName: 'First' }])
  const { data } = await add([{ documentId: 'a', documentName: 'Second' }, { documentId: 'b' }])
  expect(data.a).toEqual({ success: false, message: 'Document already exists' })
  expect(data.b?.success).toBe(true)
  expect((await getV1()).data[0]?.documentName).toBe('First')
})

test('v1 and v2 answer documents with the fields of the specification and fields of your own', async () => {
  const custom = JSON.parse('{"__proto__": [1], "constructor": {}, "pages": 3}')
  await add([{ ...custom, documentId: 'a', documentName: 'A', id: 'forged', disabled: true }])
  const expected = [{ ...custom, id: 'a', documentName: 'A', disabled: false, accessType: 'public' }]
  const v1 = await getV1()
  expect(v1.message).toBe('Document(s) retrieved successfully.')
  expect(v1.data).toEqual(expected)
  expect(Object.hasOwn(v1.data[0] ?? {}, '__proto__')).toBe(true)
  expect(await ok('get', {})).toMatchObject({ data: expected, pageToken: null })
})

test('omitted documentIds mean all in the order in which they were added, an empty list none; unknown ids are left out', async () => {
  await add(named('z', 'a', 'm'))
  expect(ids(await getV1())).toEqual(['z', 'a', 'm'])
  expect(ids(await getV1({ documentIds: [] }))).toEqual([])
  expect(ids(await getV1({ documentIds: ['m', 'nowhere', 'z'] }))).toEqual(['z', 'm'])
})

test.each([
  ['add', { documents: named('a') }],
  ['get', {}],
  ['update', { documents: named('a') }],
  ['move', { documentIds: ['a'], folderId: 'root' }],
  ['access/update', { documentIds: ['a'], accessType: 'public' }],
  ['access/disablestate/update', { documentIds: ['a'], disabled: true }],
])('%s in an organization that does not exist is NOT_FOUND', async (operation, data) => {
  const { body } = await call(operation, { ...data, organizationId: 'nowhere' })
  expect(body.error).toMatchObject({ status: 'NOT_FOUND', message: expect.stringContaining('nowhere') })
})

test('documents/get v1 of an unknown organization is NOT_FOUND', async () => {
  const { body } = await ws.call('/v1/organizations/documents/get', { organizationId: 'nowhere' })
  expect(body.error.status).toBe('NOT_FOUND')
})

test('add creates organization and folder only when asked to', async () => {
  const documents = named('a')
  const inFolder = { documents, folderId: 'f', organizationId: 'fresh' }
  expect((await call('add', inFolder)).body.error.status).toBe('NOT_FOUND')
  expect((await call('add', { ...inFolder, createOrganization: true })).body.error.status).toBe('NOT_FOUND')
  expect((await ws.ok('/v2/organizations/get', { organizationIds: ['fresh'] })).data).toEqual([])
  await ok('add', { ...inFolder, createOrganization: true, createFolder: true })
  expect((await ok('get', { organizationId: 'fresh' })).data).toMatchObject([{ id: 'a', folderId: 'f' }])
  expect((await call('add', { documents, folderId: 'g' })).body.error.message).toContain('g')
})

test('documents/get finds documents by folder and by their fields', async () => {
  await add(
    [
      { documentId: 'a', kind: 'memo' },
      { documentId: 'b', kind: { x: 1 } },
    ],
    { folderId: 'f', createFolder: true },
  )
  await add([{ documentId: 'c', kind: 'memo', documentName: 'C' }])
  expect(ids(await ok('get', { folderId: 'f' }))).toEqual(['a', 'b'])
  expect(ids(await ok('get', { folderId: 'root' }))).toEqual(['c'])
  expect((await call('get', { folderId: 'nowhere' })).body.error.status).toBe('NOT_FOUND')
  const found = async (...filters: object[]) => ids(await ok('get', { filters }))
  expect(await found({ key: 'kind', operator: '==', value: 'memo' })).toEqual(['a', 'c'])
  expect(await found({ key: 'kind', operator: 'in', value: ['memo', { x: 1 }] })).toEqual(['a', 'b', 'c'])
  expect(
    await found({ key: 'kind', operator: '==', value: 'memo' }, { key: 'documentName', operator: '==', value: 'C' }),
  ).toEqual(['c'])
  expect(await found({ key: 'documentName', operator: '==', value: '' })).toEqual(['a', 'b'])
  const refused = await call('get', { filters: [{ key: 'kind', operator: 'in', value: 'memo' }] })
  expect(refused.body.error.message).toMatch(/^filters\[0\]\.value /)
})

test('documents/get finds documents by a part of their name or id, in upper or lower case', async () => {
  await add([{ documentId: 'a', documentName: 'Refund Policy' }, { documentId: 'refunds-2' }, { documentId: '100%' }])
  expect(ids(await ok('get', { searchKey: 'refund' }))).toEqual(['a', 'refunds-2'])
  expect(ids(await ok('get', { searchKey: '%' }))).toEqual(['100%'])
  const first = await ok('get', { searchKey: 'refund', pageSize: 1 })
  expect(ids(first)).toEqual(['a'])
  const other = await call('get', { searchKey: 'fund', pageSize: 1, pageToken: first.pageToken })
  expect([other.status, other.body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
})

test('documents/get finds an accent in its letter and after it, whichever way the search writes it', async () => {
  const names = ['Résumé.pdf', 'Réunion.pdf'.normalize('NFD')]
  await add(names.map((documentName, i) => ({ documentId: `${i}`, documentName })))
  for (const form of ['NFC', 'NFD'])
    expect(ids(await ok('get', { searchKey: 'RÉ'.normalize(form) }))).toEqual(['0', '1'])
})

test('pages neither lose nor repeat a document while others are added; a token is good for its filters only', async () => {
  await add(named('1', '2', '3'))
  const first = await ok('get', { pageSize: 2 })
  await add(named('4'))
  const second = await ok('get', { pageSize: 2, pageToken: first.pageToken })
  expect([...ids(first), ...ids(second)]).toEqual(['1', '2', '3', '4'])
  expect(second.pageToken).toBeNull()
  const elsewhere = await call('get', { folderId: 'root', pageToken: first.pageToken })
  expect(elsewhere.body.error.status).toBe('INVALID_ARGUMENT')
})

test('update merges names and fields of your own and reports unknown documents', async () => {
  await add([{ documentId: 'a', documentName: 'A', x: 1, y: 1 }])
  const { data, message } = await ok('update', { documents: [{ documentId: 'a', y: null, z: 3 }, { documentId: 'b' }] })
  expect(message).toBe('Document(s) updated successfully.')
  expect(data).toEqual({
    a: { success: true, message: 'Updated Successfully' },
    b: { success: false, message: 'Document does not exist' },
  })
  expect((await getV1()).data).toEqual([
    { id: 'a', documentName: 'A', disabled: false, accessType: 'public', x: 1, z: 3 },
  ])
})

test('delete reports what was not there, also when the organization is not', async () => {
  await add(named('a', 'b'))
  const { data } = await ok('delete', { documentIds: ['a', 'nowhere'] })
  expect(data).toEqual({
    a: { success: true, message: 'Deleted Successfully' },
    nowhere: { success: false, message: 'Document does not exist' },
  })
  expect(ids(await getV1())).toEqual(['b'])
  const missing = await ok('delete', { organizationId: 'nowhere', documentIds: ['b'] })
  expect(missing.data.b?.success).toBe(false)
})

test('move puts documents into a folder or back to the top level', async () => {
  await add(named('a', 'b'))
  await ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId: 'f' }] })
  const { data, message } = await ok('move', { documentIds: ['a', 'nowhere'], folderId: 'f' })
  expect(message).toBe('Documents moved successfully.')
  expect([data.a?.success, data.nowhere?.success]).toEqual([true, false])
  expect(ids(await ok('get', { folderId: 'f' }))).toEqual(['a'])
  await ok('move', { documentIds: ['a'], folderId: 'root' })
  expect(ids(await ok('get', { folderId: 'root' }))).toEqual(['a', 'b'])
  expect((await call('move', { documentIds: ['a'], folderId: 'nowhere' })).body.error.status).toBe('NOT_FOUND')
})

test('a document’s own access type beats its folder’s, a folder’s its parent’s', async () => {
  const folders = [{ folderId: 'f' }, { folderId: 'g', parentFolderId: 'f' }]
  await ws.ok('/v2/organizations/folders/add', { organizationId, folders })
  await add(named('a', 'b'), { folderId: 'g' })
  await add([{ documentId: 'c', accessType: 'organizationPrivate' }], { folderId: 'g' })
  const folderAccess = (folderId: string, accessType: string) =>
    ws.ok('/v2/organizations/folders/access/update', { organizationId, folderIds: [folderId], accessType })
  const access = async () => (await getV1()).data.map(({ accessType }) => accessType)
  await folderAccess('f', 'restricted')
  const { data } = await ok('access/update', { documentIds: ['b', 'nowhere'], accessType: 'public' })
  expect(data).toEqual({
    b: { success: true, accessType: 'public', message: 'Document access type updated.' },
    nowhere: { success: false, message: 'Document does not exist' },
  })
  expect(await access()).toEqual(['restricted', 'public', 'organizationPrivate'])
  await folderAccess('g', 'organizationPrivate')
  expect(await access()).toEqual(['organizationPrivate', 'public', 'organizationPrivate'])
  await ok('move', { documentIds: ['a', 'b', 'c'], folderId: 'f' })
  expect(await access()).toEqual(['restricted', 'public', 'organizationPrivate'])
})

test('a new document at the top level gets the default access type of the API key, one in a new folder that of the folder', async () => {
  const own = await newWorkspace(service)
  await own.ok('/v2/workspace/apikeyconfig/update', { defaultDocumentAccessType: 'restricted' })
  const documents = [{ documentId: 'a' }, { documentId: 'b', accessType: 'public' }]
  await own.ok(`${ALL}/add`, {
    organizationId: 'o',
    createOrganization: true,
    documents,
    folderId: 'f',
    createFolder: true,
  })
  await own.ok(`${ALL}/add`, { organizationId: 'o', documents: [{ documentId: 'c' }] })
  await own.ok('/v2/workspace/apikeyconfig/update', { defaultDocumentAccessType: 'public' })
  await own.ok(`${ALL}/add`, { organizationId: 'o', documents: [{ documentId: 'd' }] })
  const { data } = await own.ok(`${ALL}/get`, { organizationId: 'o' })
  expect(data.map(({ accessType }) => accessType)).toEqual(['restricted', 'public', 'restricted', 'public'])
})

test('another access type is refused', async () => {
  const { body } = await call('access/update', { documentIds: ['a'], accessType: 'secret' })
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: expect.stringMatching(/^accessType /) })
})

test('the disabled flag is set for each document that exists', async () => {
  await add(named('a'))
  const { data } = await ok('access/disablestate/update', { documentIds: ['a', 'nowhere'], disabled: true })
  expect(data).toEqual({
    a: { success: true, disabled: true, message: 'Document disabled state updated.' },
    nowhere: { success: false, message: 'Document does not exist' },
  })
  expect((await getV1()).data[0]?.disabled).toBe(true)
})

test('the same document id in two organizations is two documents', async () => {
  await add([{ documentId: 'a', documentName: 'Here' }])
  await ok('add', { organizationId: `${organizationId}-b`, createOrganization: true, documents: named('a') })
  await ok('delete', { organizationId: `${organizationId}-b`, documentIds: ['a'] })
  expect((await getV1()).data[0]?.documentName).toBe('Here')
})

test('a metadata key that an update sets to null goes, the others stay', async () => {
  await add([{ documentId: 'a', color: 'red', size: 3 }])
  await ok('update', { documents: [{ documentId: 'a', color: null, shape: 'round' }] })
  const [document] = (await ok('get', { documentIds: ['a'] })).data
  expect(document).toMatchObject({ size: 3, shape: 'round' })
  expect(document).not.toHaveProperty('color')
})
