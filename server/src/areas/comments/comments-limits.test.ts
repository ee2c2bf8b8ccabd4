import { expect, test } from 'vitest'
import { newReview } from '../../../test/review.ts'
import { startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

test('a call whose filters match more than 10,000 threads is FAILED_PRECONDITION and nothing is done', async () => {
  const service = await startService()
  const review = await newReview(service)
  await review.thread('t')
  await service.database.query(sql`
    insert into comment_annotation (
      api_key, organization_key, document_key, number, key, id, from_key, status_id, record, created_at, updated_at)
    select a.api_key, a.organization_key, a.document_key, n, gen_random_uuid(), 'n' || n, a.from_key, a.status_id, a.record,
      a.created_at, a.updated_at
    from comment_annotation a, generate_series(1, 10000) n
    where a.api_key = ${review.ws.apiKey}`)
  const status = { id: 'RESOLVED' }
  for (const answer of [await review.call('update', { updatedData: { status } }), await review.call('delete')]) {
    expect([answer.status, answer.body.error.status]).toEqual([400, 'FAILED_PRECONDITION'])
  }
  const { plan } = await review.ok('count/get', { documentIds: ['plan'], userId: 'ada', statusIds: ['OPEN'] })
  expect(plan?.total).toBe(10_001)
  expect(await review.types()).toEqual([])
  expect(await review.ok('delete', { annotationIds: ['t'] })).toMatchObject({ t: { success: true } })
}, 60_000)
