import { beforeAll, beforeEach, expect, test } from 'vitest'
import { at, bob, newReview, type Review } from '../../../test/review.ts'
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
