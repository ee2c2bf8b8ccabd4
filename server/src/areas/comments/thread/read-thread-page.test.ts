import { expect, test } from 'vitest'
import { groupingsOf } from '../../../../test/measuring/explained.ts'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/db.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { readThreadPage } from './read-thread-page.ts'

test('the comments of a page are counted once, not once for each thread, whatever the planner knows', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  await ws.ok('/v2/commentannotations/add', {
    ...{ organizationId: 'acme', documentId: 'plan', createOrganization: true, createDocument: true },
    commentAnnotations: Array.from({ length: 20 }, () => ({
      commentData: [{ commentText: 'Hi', from: { userId: 'a' } }],
    })),
  })
  const tenant: ApiKeyTenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const query = {
    organizationKey: organizationKeyOf(tenant, 'acme'),
    condition: sql`true`,
    order: 'desc',
    pageSize: 20,
    maxBytes: 1_000_000,
  } as const
  // The people and the reactions of each thread are counted as well, by a look-up of each.
  expect(await groupingsOf(service.database, (db) => readThreadPage(db, tenant, query))).toBe(1 + 2 * 20)
})
