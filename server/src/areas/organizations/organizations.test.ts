import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace
beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

const add = (organizations: object[]) => ws.ok('/v2/organizations/add', { organizations })
const get = async (...organizationIds: string[]) => (await ws.ok('/v2/organizations/get', { organizationIds })).data

test('add answers one result per organization, with a stable 32-digit hex id', async () => {
  const { status, message, data } = await add([{ organizationId: 'add-1' }, { organizationId: 'add-2' }])
  expect({ status, message }).toEqual({ status: 'success', message: 'Organization(s) added successfully.' })
  expect(Object.keys(data)).toEqual(['add-1', 'add-2'])
  const added = { success: true, id: expect.stringMatching(/^[0-9a-f]{32}$/), message: 'Added Successfully' }
  expect(data).toEqual({ 'add-1': added, 'add-2': added })
  expect(data['add-2']?.id).not.toBe(data['add-1']?.id)
})

test('add of an organization that exists fails for it alone and leaves it as it is', async () => {
  await add([{ organizationId: 'twice', organizationName: 'First' }])
  const { data } = await add([{ organizationId: 'twice', organizationName: 'Second' }, { organizationId: 'beside' }])
  expect(data.twice).toEqual({ success: false, message: 'Organization already exists' })
  expect(data.beside?.success).toBe(true)
  expect(await get('twice')).toEqual([{ id: 'twice', organizationName: 'First', disabled: false }])
})

test('an id repeated in one request is processed once, the last occurrence wins', async () => {
  const { data } = await add([
    { organizationId: 'repeated', organizationName: 'A' },
    { organizationId: 'other' },
    { organizationId: 'repeated', organizationName: 'B' },
  ])
  expect(Object.keys(data)).toEqual(['repeated', 'other'])
  expect(await get('repeated')).toEqual([{ id: 'repeated', organizationName: 'B', disabled: false }])
})

test('fields of your own are kept and given back, also those named __proto__ or constructor, and nulls', async () => {
  const custom = JSON.parse('{"__proto__": {"admin": true}, "constructor": "c", "plan": {"seats": [1]}, "none": null}')
  await add([{ ...custom, organizationId: '__proto__', organizationName: 'Odd' }])
  const [organization] = await get('__proto__')
  expect(JSON.parse(JSON.stringify(organization))).toEqual({
    ...custom,
    id: '__proto__',
    organizationName: 'Odd',
    disabled: false,
  })
  expect(Object.hasOwn(organization ?? {}, '__proto__')).toBe(true)
})

test('fields of your own do not override those of the record', async () => {
  await add([{ organizationId: 'fixed', id: 'forged', disabled: true }])
  expect(await get('fixed')).toEqual([{ id: 'fixed', organizationName: '', disabled: false }])
})

test('update merges names and custom metadata; an unknown organization fails for it alone and is not created', async () => {
  await add([{ organizationId: 'merge', organizationName: 'Name', a: 1, b: 1 }])
  const { data, message } = await ws.ok('/v2/organizations/update', {
    organizations: [{ organizationId: 'merge', b: 2, c: 3 }, { organizationId: 'nowhere' }],
  })
  expect(message).toBe('Organization(s) updated successfully.')
  expect(data).toEqual({
    merge: { success: true, message: 'Updated Successfully' },
    nowhere: { success: false, message: 'Organization does not exist' },
  })
  expect(await get('merge', 'nowhere')).toEqual([
    { id: 'merge', organizationName: 'Name', disabled: false, a: 1, b: 2, c: 3 },
  ])
})

test('the disable state is set for each organization that exists', async () => {
  await add([{ organizationId: 'closing' }])
  const { data } = await ws.ok('/v2/organizations/access/disablestate/update', {
    organizationIds: ['closing', 'missing'],
    disabled: true,
  })
  expect(data).toEqual({
    closing: { success: true, message: 'Updated disable state for organization Successfully' },
    missing: { success: false, message: 'Organization does not exist' },
  })
  expect((await get('closing'))[0]?.disabled).toBe(true)
})

test('delete takes folders and documents along and reports what was not there', async () => {
  await add([{ organizationId: 'gone' }])
  await ws.ok('/v2/organizations/documents/add', {
    organizationId: 'gone',
    documents: [{ documentId: 'd' }],
    folderId: 'f',
    createFolder: true,
  })
  const { data } = await ws.ok('/v2/organizations/delete', { organizationIds: ['gone', 'never'] })
  expect(data).toEqual({
    gone: { success: true, message: 'Deleted Successfully' },
    never: { success: false, message: 'Organization does not exist' },
  })
  await add([{ organizationId: 'gone' }])
  expect((await ws.ok('/v2/organizations/documents/get', { organizationId: 'gone' })).data).toEqual([])
  expect((await ws.ok('/v2/organizations/folders/get', { organizationId: 'gone' })).data).toEqual([])
})

test('omitted ids mean all, in the order in which they were added; an empty list means none', async () => {
  const own = await newWorkspace(service)
  const organizations = ['z', 'a', 'm'].map((organizationId) => ({ organizationId }))
  await own.ok('/v2/organizations/add', { organizations })
  const all = await own.ok('/v2/organizations/get')
  expect(all.data.map(({ id }) => id)).toEqual(['z', 'a', 'm'])
  expect(all.nextPageToken).toBeNull()
  expect((await own.ok('/v2/organizations/get', { organizationIds: [] })).data).toEqual([])
})

test('pages neither lose nor repeat an organization while others are added; the last token is null', async () => {
  const own = await newWorkspace(service)
  const named = (...ids: string[]) => ({ organizations: ids.map((organizationId) => ({ organizationId })) })
  await own.ok('/v2/organizations/add', named('1', '2', '3'))
  const seen: string[] = []
  let pageToken: string | undefined
  do {
    const page = await own.ok('/v2/organizations/get', { pageSize: 2, pageToken })
    seen.push(...page.data.map(({ id }) => id))
    if (seen.length === 2) await own.ok('/v2/organizations/add', named('4'))
    pageToken = page.nextPageToken ?? undefined
  } while (pageToken)
  expect(seen).toEqual(['1', '2', '3', '4'])
})

test('a page token is good for its filters only', async () => {
  await add([{ organizationId: 'page-1' }, { organizationId: 'page-2' }])
  const { nextPageToken } = await ws.ok('/v2/organizations/get', { pageSize: 1 })
  const { body } = await ws.call('/v2/organizations/get', { organizationIds: ['page-1'], pageToken: nextPageToken })
  expect(body.error.status).toBe('INVALID_ARGUMENT')
})

test.each([0, 1001, 1.5, '10'])('a pageSize of %s is refused', async (pageSize) => {
  expect((await ws.call('/v2/organizations/get', { pageSize })).body.error.message).toMatch(/^pageSize /)
})

test('an organization of another API key does not exist', async () => {
  await add([{ organizationId: 'private' }])
  const other = await newWorkspace(service)
  expect((await other.ok('/v2/organizations/get', { organizationIds: ['private'] })).data).toEqual([])
  const { data } = await other.ok('/v2/organizations/delete', { organizationIds: ['private'] })
  expect(data.private?.success).toBe(false)
  expect(await get('private')).toHaveLength(1)
})

test('the longest ids of 4-byte characters work', async () => {
  const organizationId = '😀'.repeat(256)
  await add([{ organizationId }])
  expect((await get(organizationId))[0]?.id).toBe(organizationId)
})

test('two adds of the same organizations at once add each of them once', async () => {
  const ids = Array.from({ length: 50 }, (_, i) => `race-${i}`)
  const orders = [ids, [...ids].reverse(), ids, [...ids].reverse()]
  const answers = await Promise.all(orders.map((order) => add(order.map((organizationId) => ({ organizationId })))))
  for (const id of ids) expect(answers.filter(({ data }) => data[id]?.success)).toHaveLength(1)
})

test('a metadata key of an organization or a folder that an update sets to null goes', async () => {
  const organizationId = 'clearing'
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId, a: 1, b: 2 }] })
  await ws.ok('/v2/organizations/update', { organizations: [{ organizationId, a: null }] })
  const [organization] = (await ws.ok('/v2/organizations/get', { organizationIds: [organizationId] })).data
  expect(organization).toMatchObject({ b: 2 })
  expect(organization).not.toHaveProperty('a')
  await ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId: 'f', a: 1, b: 2 }] })
  await ws.ok('/v2/organizations/folders/update', { organizationId, folders: [{ folderId: 'f', a: null }] })
  const [folder] = (await ws.ok('/v2/organizations/folders/get', { organizationId })).data
  expect(folder).toMatchObject({ b: 2 })
  expect(folder).not.toHaveProperty('a')
})
