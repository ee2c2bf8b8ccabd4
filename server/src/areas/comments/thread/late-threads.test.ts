import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/db.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { readLateThreads } from './late-threads.ts'
import { readThreadPage } from './read-thread-page.ts'
import { isVisibleTo } from './shown-to.ts'

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

test('a thread that is hidden after the page was chosen is left out: its comments may have been edited since', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  const place = { organizationId: 'acme', documentId: 'plan' }
  const thread = (annotationId: string, commentText: string) => ({
    annotationId,
    commentData: [{ commentText, from: { userId: 'ada' } }],
  })
  await ws.ok('/v2/commentannotations/add', {
    ...{ ...place, createOrganization: true, createDocument: true },
    commentAnnotations: [thread('hidden', 'One'), thread('public', 'Two')],
  })
  const tenant: ApiKeyTenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const at = { organizationId: 'acme', organizationKey: organizationKeyOf(tenant, 'acme') }
  const shown = isVisibleTo(ws.apiKey, at, 'bob')
  const query = { ...at, condition: shown, order: 'desc', pageSize: 10, maxBytes: 1_000_000 } as const
  const { page } = await readThreadPage(service.database, tenant, query)
  expect(page).toHaveLength(2)
  await ws.ok('/v2/commentannotations/update', {
    ...{ ...place, annotationIds: ['hidden'] },
    updatedData: { visibility: { type: 'restricted', userIds: ['ada'] } },
  })
  await ws.ok('/v2/commentannotations/comments/update', {
    ...{ ...place, annotationId: 'hidden', commentIds: [1] },
    updatedData: { commentText: 'Secret' },
  })
  const threads = await readLateThreads(service.database, tenant, at, page, shown)
  expect(JSON.parse(JSON.stringify(threads))).toMatchObject([{ annotationId: 'public' }])
  expect(JSON.stringify(threads)).not.toContain('Secret')
})
