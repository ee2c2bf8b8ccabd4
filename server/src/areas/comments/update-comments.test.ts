import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newReview, type Review } from '../../../test/review.ts'
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

test('a new commentText without commentHtml clears the old commentHtml', async () => {
  const change = (updatedData: object) =>
    review.ok('comments/update', { annotationId: 't', commentIds: [1], updatedData })
  await change({ commentText: 'One', commentHtml: '<p>One</p>' })
  await change({ commentText: 'One', context: { a: 1 } })
  expect((await review.read('t')).comments[0]?.commentHtml).toBe('<p>One</p>')
  await change({ commentText: 'Two' })
  expect((await review.read('t')).comments[0]).not.toHaveProperty('commentHtml')
})
