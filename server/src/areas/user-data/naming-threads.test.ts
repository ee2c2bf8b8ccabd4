import { beforeEach, expect, test } from 'vitest'
import { newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { FIRST_THREAD, readNaming } from './naming-threads.ts'

let service: Service
let review: Review
beforeEach(async () => {
  service = await startService()
  review = await newReview(service)
})

const bob = { userId: 'bob' }
const large = { text: 'x'.repeat(200_000) }
const comment = (...userIds: string[]) => {
  return { from: bob, commentText: 'Hi', context: { ...large, people: userIds.map((userId) => ({ userId })) } }
}

/** How many threads name one of the users, page by page. */
async function pages(userIds: string[]) {
  const context = { db: service.database, tenant: { apiKey: review.ws.apiKey } } as unknown as JobContext
  const counts: number[] = []
  for (let after: string | false = FIRST_THREAD; after !== false; ) {
    const page = await readNaming(context, { userIds, userKeys: [], organizationKeys: null }, after)
    counts.push(page.naming.length)
    after = page.next
  }
  return counts
}

test('of large threads and comments a page has some only, at least a record', async () => {
  const commentAnnotations = Array.from({ length: 7 }, (_, n) => ({
    context: { ...large, owner: { userId: `owner${n}` } },
    commentData: [comment('ada', 'cyd'), comment('ada')],
  }))
  await review.ok('add', { commentAnnotations, triggerNotification: false })
  // Threads: six, one, none; comments: twice six, two, none.
  expect(await pages(['ada'])).toEqual([0, 0, 0, 3, 3, 1, 0])
  const owners = await pages(Array.from({ length: 7 }, (_, n) => `owner${n}`))
  expect(owners).toEqual([6, 1, 0, 0, 0, 0, 0])
})

test('many large comments that name a user are all changed', async () => {
  const commentData = Array.from({ length: 15 }, () => comment('ada'))
  await review.ok('add', {
    commentAnnotations: [{ commentData }, { commentData: [comment('cyd')] }, { commentData: [comment('ada')] }],
    triggerNotification: false,
  })
  await review.ws.call('/v2/users/data/delete', { userIds: ['ada'] })
  await service.drainJobs()
  const people = (await review.threads()).flatMap((thread) => thread?.comments.map(({ context }) => context?.people))
  const erased = [{ userId: expect.stringMatching(/^erased_/), name: 'Deleted user' }]
  expect(people).toHaveLength(17)
  expect(people.filter((each) => JSON.stringify(each).includes('ada'))).toEqual([])
  expect(people).toEqual(expect.arrayContaining([...Array.from({ length: 16 }, () => erased), [{ userId: 'cyd' }]]))
})
