import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ada, at, bob, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.thread('t')
})

test('deleting all comments of a thread deletes the thread with its event', async () => {
  await review.ok('comments/add', {
    annotationId: 't',
    commentData: [{ from: bob, commentId: 2, commentText: 'Two' }],
  })
  await review.ok('comments/delete', { annotationId: 't', commentIds: [1, 2] })
  const events = await review.events()
  const last = events.at(-1)
  expect(events.filter(({ type }) => type === 'comment.delete')).toHaveLength(1)
  expect([last?.type, last?.advanced.data.targetComment]).toEqual(['comment.delete', undefined])
  const { data } = await review.ws.ok('/v2/commentannotations/get', { ...at, annotationIds: ['t'] })
  expect(data).toEqual([null])
})

test('a viewer who deletes all that is theirs deletes it with its text, and events show what is left', async () => {
  await review.ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ ...bob, accessRole: 'viewer' }] })
  const text = (commentId: number) => ({
    commentId,
    commentText: `Text ${commentId}`,
    from: commentId > 20 ? bob : ada,
  })
  const commentData = Array.from({ length: 38 }, (_, index) => text(index + 2))
  await review.ok('comments/add', { annotationId: 't', commentData, triggerNotification: false })
  const verified = { actionUser: { userId: 'bob' }, verifyUserPermissions: true }
  const results = Object.values(await review.ok('comments/delete', { annotationId: 't', ...verified }))
  expect(results.filter((each) => each?.success)).toHaveLength(19)
  const events = await review.events()
  const deleted = events.map(({ advanced }) => advanced.data.targetComment?.commentText)
  expect(deleted).toEqual(Array.from({ length: 19 }, (_, index) => `Text ${index + 21}`))
  const shown = events[0]?.advanced.data.commentAnnotation.comments.map(({ commentText }) => commentText)
  expect(shown).toEqual(['First', ...Array.from({ length: 9 }, (_, index) => `Text ${index + 12}`)])
})
