import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newReview, type Review } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.thread('t')
})

test('a status of a type alone means the default status of that type', async () => {
  await review.ok('update', { annotationIds: ['t'], updatedData: { status: { type: 'terminal' } } })
  expect((await review.read('t')).status).toMatchObject({ id: 'RESOLVED', name: 'Resolved', type: 'terminal' })
  await review.ok('update', { annotationIds: ['t'], updatedData: { status: { type: 'ongoing' } } })
  expect((await review.read('t')).status).toMatchObject({ id: 'IN_PROGRESS', type: 'ongoing' })
  await review.thread('new', { status: { type: 'default' } })
  expect((await review.read('new')).status).toMatchObject({ id: 'OPEN', type: 'default' })
  const { body } = await review.call('update', { annotationIds: ['t'], updatedData: { status: { name: 'No' } } })
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: expect.stringContaining('status.id') })
})
