import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/documents/add', {
    organizationId: 'acme',
    createOrganization: true,
    documents: [{ documentId: 'd1' }, { documentId: 'd2' }],
  })
})

const set = async (config: object, more: object = {}) =>
  (await ws.ok('/v2/notifications/config/set', { organizationId: 'acme', userIds: ['ada'], config, ...more })).data
const get = async (more: object) =>
  (await ws.ok('/v2/notifications/config/get', { organizationId: 'acme', userId: 'ada', ...more })).data
const configs = async (more: object) => (await get(more)).map(({ config }) => config)

test('defaults are inbox ALL and email MINE', async () => {
  expect(await get({ documentIds: ['d1'], getOrganizationConfig: true })).toEqual([
    { config: { inbox: 'ALL', email: 'MINE' }, metadata: { organizationId: 'acme', apiKey: ws.apiKey, userId: 'ada' } },
    {
      config: { inbox: 'ALL', email: 'MINE' },
      metadata: { organizationId: 'acme', apiKey: ws.apiKey, documentId: 'd1', userId: 'ada' },
    },
  ])
})

test('the organization config is the default of all documents, a document overrides it per channel', async () => {
  expect(await set({ inbox: 'MINE', slack: 'NONE' })).toEqual({
    ada: { success: true, userId: 'ada', message: 'User config set successfully.' },
  })
  expect(await set({ email: 'ALL' }, { documentIds: ['d1'] })).toEqual({
    ada: {
      success: true,
      userId: 'ada',
      documentId: 'd1',
      documentIds: ['d1'],
      message: 'User config set successfully.',
    },
  })
  expect(await configs({ documentIds: ['d1', 'd2'], getOrganizationConfig: true })).toEqual([
    { inbox: 'MINE', email: 'MINE', slack: 'NONE' },
    { inbox: 'MINE', email: 'ALL', slack: 'NONE' },
    { inbox: 'MINE', email: 'MINE', slack: 'NONE' },
  ])
  await set({ inbox: 'NONE' }, { documentIds: ['d1'] })
  expect(await configs({ documentIds: ['d1'] })).toEqual([{ inbox: 'NONE', email: 'ALL', slack: 'NONE' }])
})

test('one call sets at most 10,000 pairs of a user and a document', async () => {
  const ids = (count: number, of: string) => Array.from({ length: count }, (_, index) => `${of}${index}`)
  const request = { organizationId: 'acme', userIds: ids(101, 'u'), config: { inbox: 'NONE' } }
  const { status, body } = await ws.call('/v2/notifications/config/set', { ...request, documentIds: ids(100, 'd') })
  expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  expect(body.error.message).toContain('10000 pairs')
  const { u0 } = (await ws.ok('/v2/notifications/config/set', { ...request, documentIds: ids(99, 'd') })).data
  expect(u0?.documentIds).toEqual(['d1', 'd2'])
  expect((await ws.ok('/v2/notifications/config/set', request)).data.u100?.success).toBe(true)
})

test('documents that do not exist fail the item and the others are set', async () => {
  const { ada } = await set({ inbox: 'NONE' }, { documentIds: ['d1', 'none'] })
  expect(ada).toMatchObject({ success: false, documentId: 'd1', message: expect.stringContaining('none') })
  expect(await configs({ documentIds: ['d1'] })).toEqual([{ inbox: 'NONE', email: 'MINE' }])
  expect(Object.keys(await set({ inbox: 'ALL' }, { userIds: ['a', 'b', 'a'] }))).toEqual(['a', 'b'])
})

test('an unknown organization has no configs to read and is NOT_FOUND to set', async () => {
  expect(await get({ organizationId: 'none', getOrganizationConfig: true })).toEqual([])
  const { body } = await ws.call('/v2/notifications/config/set', {
    organizationId: 'none',
    userIds: ['ada'],
    config: { inbox: 'ALL' },
  })
  expect(body.error.status).toBe('NOT_FOUND')
})

test.each([
  ['set', { userIds: ['ada'], config: { inbox: 'SOME' } }, /^config\.inbox must be one of ALL, MINE, NONE/],
  ['set', { userIds: ['ada'], config: {} }, /^config must name at least one/],
  ['get', { userId: 'ada' }, /^documentIds is required unless getOrganizationConfig/],
])('config/%s refuses %j', async (operation, data, message) => {
  const { body } = await ws.call(`/v2/notifications/config/${operation}`, { organizationId: 'acme', ...data })
  expect(body.error.message).toMatch(message)
})
