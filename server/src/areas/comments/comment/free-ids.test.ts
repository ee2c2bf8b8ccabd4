import { beforeAll, expect, test } from 'vitest'
import { ada, newReview, type Review } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { withFreeIds } from './free-ids.ts'

let review: Review
beforeAll(async () => {
  review = await newReview(await startService())
  await review.thread('t')
})

test('a comment whose id another has is left out, and one without an id gets a free one in its place', async () => {
  // Most numbers of six digits are taken, so that some of those that are drawn are.
  await (await startService()).database.query(sql`
    insert into comment (api_key, organization_key, annotation_key, id, record, created_at, updated_at)
    select api_key, organization_key, annotation_key, n, record, created_at, updated_at
    from comment, generate_series(100000, 999999, 11) n
    where api_key = ${review.ws.apiKey}`)
  const tenant = { apiKey: review.ws.apiKey, workspaceId: review.ws.id }
  const thread = { organizationKey: keyOf('acme'), annotationKey: keyOf('t') }
  const sent = Array.from({ length: 200 }, (_, n) => ({ from: ada, commentText: `text ${n}` }))
  const named = { commentId: 1, from: ada, commentText: 'taken' }
  const free = await withFreeIds((await startService()).database, tenant, thread, [
    named,
    ...sent,
    { ...named, commentId: 2 },
  ])
  const ids = free.map(({ commentId = 0 }) => commentId)
  expect(free.map(({ commentText }) => commentText)).toEqual([...sent.map(({ commentText }) => commentText), 'taken'])
  expect(new Set(ids).size).toBe(201)
  expect(ids.at(-1)).toBe(2)
  expect(ids.filter((id) => id >= 100_000 && id <= 999_999 && (id - 100_000) % 11 === 0)).toEqual([])
})
