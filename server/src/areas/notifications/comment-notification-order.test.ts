import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'

test('the comments of one call are in an inbox in their order', async () => {
  const ws = await newWorkspace(await startService())
  const place = { organizationId: 'acme', documentId: 'plan' }
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'ada' }, { userId: 'bob' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'plan' }] })
  const texts = Array.from({ length: 12 }, (_, i) => `Comment ${i}`)
  const commentData = texts.map((commentText) => ({ commentText, from: { userId: 'ada' } }))
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [{ assignedTo: { userId: 'bob' }, commentData }],
  })
  const asked = { organizationId: 'acme', userId: 'bob', order: 'asc' }
  const { data } = await ws.ok('/v2/notifications/get', asked)
  expect(data.map(({ displayBodyMessage }) => displayBodyMessage)).toEqual(texts)
})
