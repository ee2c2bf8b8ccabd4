import { beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { groupedTriggers } from '../workspaces/setting/trigger.ts'

const service = await startService()
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const UPDATE = '/v2/workspace/notificationconfig/update'
const get = async () => (await ws.ok('/v2/workspace/notificationconfig/get')).data
const update = async (data: object) => (await ws.ok(UPDATE, data)).data

const BATCH = { isEnabled: false, batchWindowSeconds: 10, maxActivities: 2 }
const UNSET = {
  triggers: {},
  delayConfig: { isEnabled: false, delaySeconds: 10 },
  batchConfig: { document: BATCH, user: BATCH },
}

test('unset config reads back as off, with delay 10, batch window 10 and 2 activities', async () => {
  expect(await get()).toEqual({ useNotificationService: false, notificationServiceConfig: UNSET })
})

test('the first enable seeds standard comment and all huddle triggers, grouped', async () => {
  const triggers = groupedTriggers(['comment', 'huddle'])
  expect(await update({ useNotificationService: true })).toEqual({
    useNotificationService: true,
    notificationServiceConfig: { ...UNSET, triggers },
  })
  expect(triggers).toMatchObject({ comment: { added: true, suggestionAccepted: false }, huddle: { join: true } })
})

test('the values of the enabling request are merged over the seed; stored triggers prevent it', async () => {
  const own = { comment: { added: false } }
  const first = await update({ useNotificationService: true, notificationServiceConfig: { triggers: own } })
  expect(first.notificationServiceConfig.triggers.comment).toMatchObject({ added: false, updated: true })
  ws = await newWorkspace(service)
  await update({ notificationServiceConfig: { triggers: own } })
  expect((await update({ useNotificationService: true })).notificationServiceConfig.triggers).toEqual(own)
})

test('an update merges in depth', async () => {
  await update({ notificationServiceConfig: { batchConfig: { user: { isEnabled: true, maxActivities: 5 } } } })
  const { notificationServiceConfig } = await update({
    notificationServiceConfig: { batchConfig: { user: { batchWindowSeconds: 60 } }, delayConfig: { delaySeconds: 30 } },
  })
  expect(notificationServiceConfig).toEqual({
    triggers: {},
    delayConfig: { isEnabled: false, delaySeconds: 30 },
    batchConfig: { document: BATCH, user: { isEnabled: true, maxActivities: 5, batchWindowSeconds: 60 } },
  })
})

describe('limits', () => {
  const delay = (delaySeconds: unknown) => ({ delayConfig: { delaySeconds } })
  const batch = (of: string, limits: object) => ({ batchConfig: { [of]: limits } })

  test.each([
    delay(10),
    delay(15_552_000),
    batch('document', { batchWindowSeconds: 10, maxActivities: 2 }),
    batch('user', { batchWindowSeconds: 604_800, maxActivities: 50 }),
  ])('%j is accepted', async (notificationServiceConfig) => {
    expect((await update({ notificationServiceConfig })).notificationServiceConfig).toMatchObject(
      notificationServiceConfig,
    )
  })

  test.each([
    ['delayConfig.delaySeconds', delay(9)],
    ['delayConfig.delaySeconds', delay(15_552_001)],
    ['delayConfig.delaySeconds', delay(10.5)],
    ['batchConfig.document.batchWindowSeconds', batch('document', { batchWindowSeconds: 9 })],
    ['batchConfig.user.batchWindowSeconds', batch('user', { batchWindowSeconds: 604_801 })],
    ['batchConfig.user.maxActivities', batch('user', { maxActivities: 1 })],
    ['batchConfig.document.maxActivities', batch('document', { maxActivities: 51 })],
    ['batchConfig.document.maxActivities', batch('document', { maxActivities: '3' })],
  ])('%s is refused in %j', async (path, notificationServiceConfig) => {
    const { body } = await ws.call(UPDATE, { notificationServiceConfig })
    const issues = [{ path: `notificationServiceConfig.${path}` }]
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues } })
  })

  test('at least one of both fields is required', async () => {
    expect((await ws.call(UPDATE)).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'At least one of useNotificationService or notificationServiceConfig must be provided',
    })
  })
})
