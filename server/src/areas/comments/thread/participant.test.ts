import { beforeEach, expect, test } from 'vitest'
import { ada, bob, newReview, type Review } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'

let review: Review

beforeEach(async () => {
  review = await newReview(await startService())
})

/** Where the row of each participant of the API key stands. It stands elsewhere once it was written again. */
async function places(): Promise<Map<string, string>> {
  const { database } = await startService()
  const rows = await database.query<{ id: string; place: string }>(sql`
    select person ->> 'userId' as id, ctid::text as place from comment_participant where api_key = ${review.ws.apiKey}`)
  return new Map(rows.map(({ id, place }) => [id, place]))
}

test('a reply writes only who it changes', async () => {
  await review.thread('t')
  const mentioned = Array.from({ length: 20 }, (_, i) => ({ userId: `guest-${i}`, contact: { userId: `guest-${i}` } }))
  const first = [{ commentId: 2, commentText: 'Hello', from: bob, taggedUserContacts: mentioned }]
  await review.ok('comments/add', { annotationId: 't', commentData: first })
  const before = await places()
  expect(before.size).toBe(22)
  await review.ok('comments/add', { annotationId: 't', commentData: [{ commentId: 3, commentText: 'Yes', from: bob }] })
  const after = await places()
  expect([...after].filter(([id, place]) => before.get(id) !== place).map(([id]) => id)).toEqual(['bob'])
})

test('a change of what an unchanged participant is to the thread is written', async () => {
  await review.thread('t')
  await review.ok('comments/add', { annotationId: 't', commentData: [{ commentId: 2, commentText: 'Yes', from: bob }] })
  await review.ok('comments/delete', { annotationId: 't', commentIds: [2] })
  await review.ok('update', { annotationIds: ['t'], viewedByUserIds: [ada.userId] })
  const rows = await (await startService()).database.query(sql`
    select person ->> 'userId' as id, is_author as "isAuthor", viewed_at > 0 as "hasViewed"
    from comment_participant
    where api_key = ${review.ws.apiKey}
    order by 1`)
  expect(rows).toEqual([
    { id: 'ada', isAuthor: true, hasViewed: true },
    { id: 'bob', isAuthor: false, hasViewed: true },
  ])
})
