import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'

test('an actor without a name gets that of the stored user, else the id, and keeps it', async () => {
  const ws = await newWorkspace(await startService())
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [ada] })
  const activity = {
    featureType: 'custom',
    actionType: 'contract.sign',
    targetEntityId: 'contract-1',
    displayMessageTemplate: '{{actionUser.name}} signed',
  }
  await ws.ok('/v2/activities/add', {
    organizationId: 'acme',
    documentId: 'plan',
    createDocument: true,
    activities: [
      { ...activity, actionUser: { userId: 'ada', team: 'law' } },
      { ...activity, actionUser: { userId: 'bob' } },
      { ...activity, actionUser: { userId: 'ada' }, isActivityResolverUsed: true },
      { ...activity, actionUser: { userId: 'api', isSystem: true } },
    ],
  })
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ ...ada, name: 'Ada King' }] })
  const { data } = await ws.ok('/v2/activities/get', { organizationId: 'acme', order: 'asc' })
  expect(data.map(({ actionUser }) => actionUser)).toEqual([
    { userId: 'ada', name: 'Ada', team: 'law' },
    { userId: 'bob', name: 'bob' },
    { userId: 'ada' },
    { userId: 'api', isSystem: true },
  ])
  expect(data[0]?.displayMessage).toBe('Ada signed')
})
