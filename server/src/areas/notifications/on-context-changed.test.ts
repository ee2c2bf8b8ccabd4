import { beforeAll, expect, test } from 'vitest'
import { at, newReview, type Review } from '../../../test/review.ts'
import { startService } from '../../../test/running-service.ts'

const { organizationId } = at
const people = [{ userId: 'legal', accessFields: ['team:legal'] }, { userId: 'sales' }]

let review: Review
beforeAll(async () => {
  review = await newReview(await startService())
  await review.ws.ok('/v2/users/add', { organizationId, users: people })
  await review.ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
})

const inbox = async (userId: string) => {
  const { data } = await review.ws.ok('/v2/notifications/get', { organizationId, userId })
  return data.map(({ targetAnnotationId }) => targetAnnotationId).sort()
}
const inboxes = async () => [await inbox('legal'), await inbox('sales')]

test('notifications of a thread are shown to those to whom its context of today shows it', async () => {
  const taggedUserContacts = people.map(({ userId }) => ({ userId }))
  const commentData = [{ from: { userId: 'ada' }, commentText: 'Hi', taggedUserContacts }]
  await review.ok('add', { commentAnnotations: ['t', 'u'].map((annotationId) => ({ annotationId, commentData })) })
  const update = (context: object | null) =>
    review.ok('update', { annotationIds: ['t'], triggerNotification: false, updatedData: { context } })
  const both = ['t', 'u']
  expect(await inboxes()).toEqual([both, both])
  await update({ access: { team: 'legal' } })
  expect(await inboxes()).toEqual([both, ['u']])
  await update(null)
  expect(await inboxes()).toEqual([both, both])
})
