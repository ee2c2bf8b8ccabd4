import { beforeAll, expect, test } from 'vitest'
import { newLog } from '../../../test/activity-log.ts'
import { type Service, startService } from '../../../test/running-service.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})

test('activities/update changes the six fields that it names; any other is ignored, as unknown fields are', async () => {
  const { ws, add } = await newLog(service)
  const record = {
    id: 'a1',
    featureType: 'custom',
    actionType: 'contract.sign',
    actionUser: { userId: 'ada', name: 'Ada' },
    targetEntityId: 'contract-1',
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
