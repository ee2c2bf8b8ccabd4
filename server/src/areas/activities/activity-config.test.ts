import { beforeEach, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { groupedTriggers } from '../workspaces/setting/trigger.ts'

const service = await startService()
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const UPDATE = '/v2/workspace/activityconfig/update'
const get = async () => (await ws.ok('/v2/workspace/activityconfig/get')).data.activityServiceConfig
const update = async (activityServiceConfig: object) =>
  (await ws.ok(UPDATE, { activityServiceConfig })).data.activityServiceConfig

test('activity logs never configured are reported as { isEnabled: false }', async () => {
  expect(await get()).toEqual({ isEnabled: false })
})

test('get needs no body', async () => {
  const url = `${service.url}/v2/workspace/activityconfig/get`
  const response = await fetch(url, { method: 'POST', headers: ws.keyHeaders })
  expect(response.status).toBe(200)
})

test('the first enable seeds the comment and recorder triggers, all on, and enabledTime; immutable stays false', async () => {
  const before = Date.now()
  const config = await update({ isEnabled: true })
  const triggers = groupedTriggers(['comment', 'recorder'], () => true)
  expect(config).toEqual({ isEnabled: true, immutable: false, triggers, enabledTime: expect.any(Number) })
  expect(config.enabledTime).toBeGreaterThanOrEqual(before)
  expect(config.triggers.comment).toMatchObject({ added: true, suggestionAccepted: true, suggestionRejected: true })
  expect(await get()).toEqual(config)
})

test('an empty map of triggers is none: the first enable seeds it', async () => {
  await update({ triggers: {} })
  expect((await update({ isEnabled: true })).triggers).toMatchObject({ comment: { added: true } })
})

test('the values of the enabling request are merged over the seed', async () => {
  const config = await update({
    isEnabled: true,
    immutable: true,
    triggers: { comment: { added: false } },
    enabledTime: 5,
  })
  expect(config).toMatchObject({
    immutable: true,
    enabledTime: 5,
    triggers: { comment: { added: false, updated: true } },
  })
})

test('what was stored before the first enable is kept', async () => {
  await update({ immutable: true })
  expect(await update({ isEnabled: true })).toMatchObject({ isEnabled: true, immutable: true })
})

test('a disabled log reads back what was set', async () => {
  const { enabledTime, triggers } = await update({ isEnabled: true })
  expect(await update({ isEnabled: false })).toEqual({ isEnabled: false, immutable: false, enabledTime, triggers })
  expect(await update({ isEnabled: true })).toEqual({ isEnabled: true, immutable: false, enabledTime, triggers })
})

test('triggers merge per key of their group', async () => {
  await update({ triggers: { comment: { added: true, updated: true } } })
  expect((await update({ triggers: { comment: { added: false } } })).triggers).toEqual({
    comment: { added: false, updated: true },
  })
})

test.each([
  ['activityServiceConfig', {}],
  ['activityServiceConfig', { activityServiceConfig: {} }],
  ['activityServiceConfig', { activityServiceConfig: { other: 1 } }],
  ['activityServiceConfig.isEnabled', { activityServiceConfig: { isEnabled: 'yes' } }],
  ['activityServiceConfig.immutable', { activityServiceConfig: { immutable: 1 } }],
  ['activityServiceConfig.enabledTime', { activityServiceConfig: { enabledTime: '2026-01-01' } }],
  ['activityServiceConfig.triggers', { activityServiceConfig: { triggers: true } }],
])('%s is INVALID_ARGUMENT in %j', async (path, data) => {
  const { status, body } = await ws.call(UPDATE, data)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path }] } })
})
