import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/db.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { readLateThreads } from './late-threads.ts'
import { readThreadPage } from './read-thread-page.ts'

test('a comment that comes after the page was chosen is not shown: the thread may be hidden by then', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const place = { organizationId: 'acme', documentId: 'plan' }
  const comment = (commentText: string) => ({ commentText, from: { userId: 'ada' } })
  await ws.ok('/v2/commentannotations/add', {
    ...{ ...place, createOrganization: true, createDocument: true },
    commentAnnotations: [{ annotationId: 't', commentData: [comment('One'), comment('Two')] }],
  })
  const tenant: ApiKeyTenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const at = { organizationId: 'acme', organizationKey: organizationKeyOf(tenant, 'acme') }
  const query = { ...at, condition: sql`true`, order: 'desc', pageSize: 1, maxBytes: 1_000_000 } as const
  const { page } = await readThreadPage(service.database, tenant, query)
  await ws.ok('/v2/commentannotations/comments/add', { ...place, annotationId: 't', commentData: [comment('Secret')] })
  const [thread] = await readLateThreads(service.database, tenant, at, page)
  const { comments, commentsCount } = JSON.parse(JSON.stringify(thread))
  expect(comments.map(({ commentText }: { commentText: string }) => commentText)).toEqual(['One', 'Two'])
  expect(commentsCount).toBe(2)
})
