import { beforeEach, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../../test/running-service.ts'

const service = await startService()
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const get = async () => (await ws.ok('/v2/workspace/apikeyconfig/get')).data
const update = async (data: object) => (await ws.ok('/v2/workspace/apikeyconfig/update', data)).data

const DEFAULTS = {
  advancedQueries: true,
  defaultDocumentAccessType: 'public',
  isPrivateCommentsEnabled: false,
  requireJwtToken: false,
  requireAutoOrgUser: true,
}

test('the defaults read back while nothing was set, with the owner and the plan of the key', async () => {
  const { ownerEmail, planInfo, ...options } = await get()
  expect(options).toEqual(DEFAULTS)
  expect(ownerEmail).toMatch(/@example\.com$/)
  expect(planInfo).toEqual({ type: 'sdk test' })
})

test('the options are read under their older path too', async () => {
  const { status, body } = await ws.call('/v2/workspace/apikeymetadata/get', {})
  expect([status, body.result]).toMatchObject([200, { data: await get() }])
})

test('an update merges, and echoes only the fields sent', async () => {
  expect(await update({ advancedQueries: false, enablePrivateComments: true })).toEqual({
    advancedQueries: false,
    enablePrivateComments: true,
  })
  expect(await update({ requireJwtToken: true })).toEqual({ requireJwtToken: true })
  expect(await get()).toMatchObject({
    ...DEFAULTS,
    advancedQueries: false,
    isPrivateCommentsEnabled: true,
    requireJwtToken: true,
  })
})

test('unknown fields are ignored', async () => {
  await update({ requireJwtToken: true })
  expect(await update({ requireAutoOrgUser: false, other: 1 })).toEqual({
    requireAutoOrgUser: false,
  })
  expect(await get()).toMatchObject({ requireJwtToken: true, requireAutoOrgUser: false })
})

test.each([{}, { other: 1 }])('%s: at least one field must be provided', async (data) => {
  const { status, body } = await ws.call('/v2/workspace/apikeyconfig/update', data)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: expect.stringMatching(/^At least one field/),
  })
})

test.each([
  ['defaultDocumentAccessType', 'private'],
  ['advancedQueries', 'yes'],
  ['enablePrivateComments', 1],
  ['requireJwtToken', {}],
  ['requireAutoOrgUser', []],
])('%s cannot be %j', async (field, value) => {
  const { body } = await ws.call('/v2/workspace/apikeyconfig/update', { [field]: value })
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path: field }] } })
})

test.each(['public', 'restricted', 'organizationPrivate'])('defaultDocumentAccessType can be %s', async (type) => {
  await update({ defaultDocumentAccessType: type })
  expect((await get()).defaultDocumentAccessType).toBe(type)
})

test('concurrent updates of different options all hold', async () => {
  await Promise.all([
    update({ requireJwtToken: true }),
    update({ requireAutoOrgUser: false }),
    update({ advancedQueries: false }),
  ])
  expect(await get()).toMatchObject({ requireJwtToken: true, requireAutoOrgUser: false, advancedQueries: false })
})

test('the options of one API key are not those of another', async () => {
  await update({ requireJwtToken: true })
  ws = await newWorkspace(service)
  expect(await get()).toMatchObject(DEFAULTS)
})
