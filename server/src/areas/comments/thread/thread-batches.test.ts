import { beforeAll, expect, test } from 'vitest'
import { newReview, type Review } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { batchesOf, sizesOf } from './thread-batches.ts'

const COUNT = 60
const ids = Array.from({ length: COUNT }, (_, n) => `t${n}`)
// Together they are larger than a batch.
const commentText = 'x'.repeat(200_000)

let review: Review
beforeAll(async () => {
  review = await newReview(await startService())
  for (let start = 0; start < COUNT; start += 20) {
    await review.ok('add', {
      triggerNotification: false,
      commentAnnotations: ids.slice(start, start + 20).map((annotationId) => ({
        annotationId,
        commentData: [{ commentId: 1, from: { userId: 'ada' }, commentText }],
      })),
    })
  }
})

const successes = (data: Record<string, { success: boolean }>) =>
  Object.entries(data).flatMap(([id, { success }]) => (success ? [id] : []))

test('an update changes every matching thread once, however many batches their comments take', async () => {
  const data = await review.ok('update', { userIds: ['ada'], updatedData: { priority: { id: 'P1' } } })
  expect(successes(data).sort()).toEqual([...ids].sort())
  expect((await review.types()).filter((type) => type === 'comment_annotation.priority_change')).toHaveLength(COUNT)
})

test('an update that would subscribe users more than 10,000 times is refused, and nothing is written', async () => {
  const subscribeUsers = Array.from({ length: 200 }, (_, n) => ({ userId: `u${n}` }))
  const { body } = await review.call('update', { userIds: ['ada'], subscribeUsers })
  expect(body.error).toMatchObject({ status: 'FAILED_PRECONDITION', message: expect.stringContaining('10000') })
  const [thread] = await review.threads()
  expect(Object.values(thread?.subscribedUsers ?? {}).map(({ user }) => user.userId)).toEqual(['ada'])
})

test('an update that would restrict threads to users more than 10,000 times is refused', async () => {
  await review.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  const userIds = Array.from({ length: 200 }, (_, n) => `u${n}`)
  const restrictTo = (few: string[]) =>
    review.call('update', { userIds: ['ada'], updatedData: { visibility: { type: 'restricted', userIds: few } } })
  const { body } = await restrictTo(userIds)
  expect(body.error).toMatchObject({ status: 'FAILED_PRECONDITION', message: expect.stringContaining('10000') })
  expect((await restrictTo(userIds.slice(0, 100))).status).toBe(200)
})

const batchesOfThreads = async (annotationIds: string[]) => {
  const tenant = { apiKey: review.ws.apiKey, workspaceId: review.ws.id }
  const { database } = await startService()
  const sizes = await sizesOf(database, tenant, keyOf('acme'), annotationIds.map(keyOf))
  return batchesOf(sizes).map((batch) => batch.length)
}

test('threads with large records are read a few at a time', async () => {
  const annotationIds = ids.slice(0, 8)
  await review.ok('update', { annotationIds, updatedData: { context: { text: 'x'.repeat(220_000) } } })
  expect(await batchesOfThreads(annotationIds)).toEqual([4, 4])
  await review.ok('update', { annotationIds, updatedData: { context: {} } })
})

test('threads with many people are read a few at a time', async () => {
  const annotationIds = ids.slice(0, 15)
  const subscribeUsers = Array.from({ length: 300 }, (_, n) => ({ userId: `reader ${n}` }))
  await review.ok('update', { annotationIds, subscribeUsers, triggerNotification: false })
  expect(await batchesOfThreads(annotationIds)).toEqual([3, 3, 3, 3, 3])
  await review.ok('update', { annotationIds, unsubscribeUsers: subscribeUsers, triggerNotification: false })
})

test('the events of all batches together are as large as those of one call may be', async () => {
  const sizes = (await review.events()).map(({ advanced }) => JSON.stringify(advanced).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(16 * 1024 * 1024)
})

test('a deletion deletes every matching thread once, however many batches their comments take', async () => {
  const data = await review.ok('delete', { userIds: ['ada'] })
  expect(successes(data).sort()).toEqual([...ids].sort())
  expect((await review.types()).filter((type) => type === 'comment.delete')).toHaveLength(COUNT)
  expect(await review.threads()).toEqual([])
})

test('an update that the threads would repeat in more than 32 MiB is refused, and nothing is written', async () => {
  const own = await newReview(await startService())
  const annotationIds = Array.from({ length: 170 }, (_, n) => `t${n}`)
  await own.ok('add', {
    triggerNotification: false,
    commentAnnotations: annotationIds.map((annotationId) => ({
      annotationId,
      commentData: [{ from: { userId: 'ada' } }],
    })),
  })
  const updatedData = { status: { id: 'mine', svg: 'x'.repeat(200_000) } }
  const { body } = await own.call('update', { annotationIds, updatedData })
  expect(body.error).toMatchObject({ status: 'FAILED_PRECONDITION', message: expect.stringContaining('32 MiB') })
  expect(await own.threads()).toHaveLength(170)
  for (const thread of await own.threads()) expect(thread?.status.id).toBe('OPEN')
})

test('threads of more than 256 MiB are not changed in one call; comments count as far as they are read', async () => {
  const own = await newReview(await startService())
  const { database } = await startService()
  const thread = (annotationId: string, comments: number) => ({
    annotationId,
    commentData: Array.from({ length: comments }, () => ({ from: { userId: annotationId } })),
  })
  const long = Array.from({ length: 10 }, (_, n) => thread(`long ${n}`, 100))
  const large = Array.from({ length: 950 }, (_, n) => thread(`large ${n}`, 1))
  for (const commentAnnotations of [long, large])
    await own.ok('add', { triggerNotification: false, commentAnnotations })
  // As many calls may have made them.
  const grown = sql`record = record || jsonb_build_object('context', jsonb_build_object('text', repeat('x', 300000)))`
  await database.query(sql`
    update comment_annotation set ${grown} where api_key = ${own.ws.apiKey} and id like 'large %'`)
  await database.query(sql`update comment set ${grown} where api_key = ${own.ws.apiKey} and annotation_key in (
    select key from comment_annotation where api_key = ${own.ws.apiKey} and id like 'long %')`)

  const idsOf = (threads: { annotationId: string }[]) => threads.map(({ annotationId }) => annotationId)
  const refusal = { status: 'FAILED_PRECONDITION', message: expect.stringContaining('256 MiB') }
  const update = (threads: { annotationId: string }[], more: object) =>
    own.call('update', { annotationIds: idsOf(threads), triggerNotification: false, ...more })
  const status = { updatedData: { status: { id: 'mine', name: 'Mine' } } }
  expect((await update(large, status)).body.error).toMatchObject(refusal)
  expect((await own.call('delete', { annotationIds: idsOf(large) })).body.error).toMatchObject(refusal)
  expect((await update(long, status)).status).toBe(200)
  const updateUsers = [{ oldUser: { userId: 'long 0' }, newUser: { userId: 'bob' } }]
  expect((await update(long, { updateUsers })).body.error).toMatchObject(refusal)
  expect((await update(long.slice(0, 1), { updateUsers })).status).toBe(200)
})
