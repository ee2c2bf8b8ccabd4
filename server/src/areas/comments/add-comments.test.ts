import { expect, test } from 'vitest'
import { ada, at, bob, newReview } from '../../../test/review.ts'
import { startService } from '../../../test/running-service.ts'

test('comments that all exist change nothing: who left and came back is not subscribed again', async () => {
  const review = await newReview(await startService())
  const { organizationId } = at
  await review.ws.ok('/v2/users/add', { organizationId, users: [ada, bob] })
  await review.thread('t')
  const commentData = [{ from: bob, commentId: 2, commentText: 'Two' }]
  await review.ok('comments/add', { annotationId: 't', commentData })
  await review.ws.ok('/v2/users/delete', { organizationId, userIds: ['bob'] })
  await review.ws.ok('/v2/users/add', { organizationId, users: [bob] })
  const before = await review.read('t')
  expect(Object.values(before.subscribedUsers).map(({ user }) => user.userId)).toEqual(['ada'])
  expect(await review.ok('comments/add', { annotationId: 't', commentData })).toEqual([])
  expect(await review.read('t')).toEqual(before)
})
