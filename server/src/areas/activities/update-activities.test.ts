import { beforeAll, expect, test } from 'vitest'
import { newLog } from '../../../test/activity-log.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})

const signed = {
  featureType: 'custom' as const,
  actionType: 'contract.sign',
  actionUser: { userId: 'ada', name: 'Ada' },
  targetEntityId: 'contract-1',
}

test('activities/update changes the six fields that it names; any other is ignored, as unknown fields are', async () => {
  const { ws, add } = await newLog(service)
  const record = {
    id: 'a1',
    ...signed,
    targetSubEntityId: 'page-1',
    isActivityResolverUsed: true,
  }
  await add([record])
  const others = {
    featureType: 'comment',
    actionType: 'contract.shred',
    actionUser: { userId: 'eve', name: 'Eve' },
    targetEntityId: 'contract-2',
    targetSubEntityId: 'page-2',
    isActivityResolverUsed: false,
    timestamp: 1,
  }
  const named = {
    changes: { state: { from: 'open', to: 'signed' } },
    entityData: { state: 'signed' },
    entityTargetData: null,
    displayMessageTemplate: 'signed',
    displayMessageTemplateData: {},
    actionIcon: 'pen',
  }
  const { data } = await ws.ok('/v2/activities/update', {
    organizationId: 'acme',
    activities: [{ id: 'a1', ...others, ...named }],
  })
  expect(data).toEqual({ a1: { success: true, message: 'Activity updated.' } })
  const read = await ws.ok('/v2/activities/get', { organizationId: 'acme' })
  expect(read.data).toMatchObject([{ ...record, ...named }])
})

test('an update of records with more than 32 MiB in all is refused, and nothing is written', async () => {
  const { ws, add } = await newLog(service)
  const ids = ['a', 'b', 'c', 'd']
  await add(ids.map((id) => ({ id, ...signed })))
  // As large as forty records may be.
  await service.database.query(sql`update activity_entry set size = 10 * 1024 * 1024 where api_key = ${ws.apiKey}`)
  const update = (few: string[]) =>
    ws.call('/v2/activities/update', {
      organizationId: 'acme',
      activities: few.map((id) => ({ id, actionIcon: 'pen' })),
    })
  const { body } = await update(ids)
  expect(body.error).toMatchObject({ status: 'FAILED_PRECONDITION', message: expect.stringContaining('32 MiB') })
  const icon = async (id: string) =>
    (await ws.ok('/v2/activities/get', { organizationId: 'acme', activityIds: [id] })).data[0]?.actionIcon
  for (const id of ids) expect(await icon(id)).toBeUndefined()
  expect((await update(ids.slice(1))).status).toBe(200)
  for (const id of ids.slice(1)) expect(await icon(id)).toBe('pen')
})

test('an update of records that name more than 100,000 people in all is refused', async () => {
  const { ws, add } = await newLog(service)
  const userIds = Array.from({ length: 30_000 }, (_, n) => n.toString(36))
  const ids = ['a', 'b', 'c', 'd']
  for (const id of ids) await add([{ id, ...signed, entityData: { userIds } }])
  const update = (few: string[]) =>
    ws.call('/v2/activities/update', {
      organizationId: 'acme',
      activities: few.map((id) => ({ id, actionIcon: 'pen' })),
    })
  const { body } = await update(ids)
  expect(body.error).toMatchObject({ status: 'FAILED_PRECONDITION', message: expect.stringContaining('100000 people') })
  expect((await update(ids.slice(1))).status).toBe(200)
})
