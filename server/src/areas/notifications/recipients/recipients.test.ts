import { expect, test } from 'vitest'
import { at, newReview } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'
import type { ChangeContext } from '../../../platform/event.ts'
import { keyOf } from '../../../platform/id.ts'
import type { CommentChange } from '../../comments/change/change.ts'
import { recipientsOf } from './recipients.ts'

const organizationKey = keyOf('acme')
const author = { userId: 'ada', name: 'Ada', initial: 'A' }

/** Changes of a public thread that has so many subscribers. */
const changes = (count: number, subscribers: number): CommentChange[] => {
  const people = {
    author,
    participants: [author],
    mentioned: [],
    assigned: null,
    unsubscribed: [],
    subscribers: Array.from({ length: subscribers }, (_, n) => ({ userId: `u${n}`, name: 'U', initial: 'U' })),
  }
  const change = {
    action: 'comment.add',
    place: { ...at, organizationKey, documentKey: keyOf('plan') },
    annotationKey: keyOf('t'),
    annotation: { context: undefined },
    comment: null,
    actor: author,
    people,
    visibility: { type: 'public' },
  }
  return Array.from({ length: count }, () => ({ ...change }) as unknown as CommentChange)
}

test('the people of all changes of a transaction are counted together, however many batches there are', async () => {
  const service = await startService()
  const { ws } = await newReview(service)
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const counted = { count: 97_000 }
  const context = { db: service.database, tenant, once: async () => counted } as unknown as ChangeContext
  expect(await recipientsOf(context, organizationKey, changes(2, 1_000))).toHaveLength(2)
  const more = recipientsOf(context, organizationKey, changes(2, 1_000))
  await expect(more).rejects.toMatchObject({ status: 'FAILED_PRECONDITION' })
})

test('who was removed is told of no change as a subscriber, even where a document lets the user in again', async () => {
  const { ws } = await newReview(await startService())
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  const cyd = { organizationId: 'acme', users: [{ userId: 'cyd' }] }
  await ws.ok('/v2/users/add', cyd)
  const comment = { from: author, commentText: 'Hi {{cyd}}' }
  await ws.ok('/v2/commentannotations/add', {
    ...at,
    commentAnnotations: [{ annotationId: 't', commentData: [comment] }],
  })
  await ws.ok('/v2/users/delete', { organizationId: 'acme', userIds: ['cyd'] })
  await ws.ok('/v2/users/add', { ...cyd, documentId: at.documentId })
  const change = { ...at, annotationIds: ['t'], actionUser: author }
  await ws.ok('/v2/commentannotations/update', { ...change, updatedData: { priority: { id: 'P0', name: 'Urgent' } } })
  const told = async () =>
    (await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'cyd' })).data.map(
      (each) => each.actionType,
    )
  expect(await told()).toEqual(['newlyAdded'])
  await ws.ok('/v2/commentannotations/update', { ...change, updatedData: { assignedTo: { userId: 'cyd' } } })
  expect(await told()).toEqual(['assigned', 'newlyAdded'])
})
