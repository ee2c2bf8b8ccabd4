import { expect, test } from 'vitest'
import { rowsInVain } from '../../../test/measuring/explained.ts'
import { newWorkspace, startService } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { keyOf } from '../../platform/id.ts'
import { isMigratable } from '../documents/migratable.ts'
import { moveActivities } from './on-document-migrated.ts'

test('an index finds the activities of a document, among many others of its organization', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const tenant = { apiKey: ws.apiKey } as ApiKeyTenant
  const organizationId = 'acme'
  const create = { createOrganization: true, createDocument: true }
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  const activity = { featureType: 'custom', actionType: 'sign', actionUser: { userId: 'ada' }, targetEntityId: 'lease' }
  const add = (documentId: string, count: number) => {
    const activities = Array.from({ length: count }, () => activity)
    return ws.ok('/v2/activities/add', { organizationId, documentId, ...create, activities })
  }
  for (let n = 0; n < 25; n++) await add(`other-${n}`, 20)
  await add('plan', 2)
  await service.database.script('analyze activity_entry')
  const organizationKey = keyOf(organizationId)
  const document = { organizationKey, oldKey: keyOf('plan'), newKey: keyOf('plan-b'), newDocumentId: 'plan-b' }
  const inVain = await rowsInVain(service.database, async (db) => {
    await isMigratable(db, tenant, organizationKey, 'plan')
    await moveActivities(db, tenant, document)
  })
  expect(inVain).toBeLessThan(10)
  expect((await ws.ok('/v2/activities/get', { organizationId, documentId: 'plan-b' })).data).toHaveLength(2)
})
