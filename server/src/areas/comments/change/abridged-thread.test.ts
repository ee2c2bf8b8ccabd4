import { beforeAll, expect, test } from 'vitest'
import { ada, at, newReview } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import type { Thread } from '../thread/thread.ts'
import { toAnnotation } from '../thread/thread.ts'
import { changeBuilder } from './change.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})

test('a payload names at most 100 people in each list', async () => {
  const review = await newReview(service)
  const commentData = Array.from({ length: 150 }, (_, index) => ({ from: { userId: `user${index}` } }))
  await review.thread('t', { commentData })
  await review.ok('comments/add', { annotationId: 't', commentData: [{ from: ada }] })
  const [event] = await review.events()
  const shown = event?.advanced.data.commentAnnotation
  expect(shown?.commentsCount).toBe(151)
  expect(Object.keys(shown?.subscribedUsers ?? {})).toHaveLength(100)
  for (const list of [shown?.involvedUserIds, shown?.viewedByUserIds, event?.processed.toContactsUpdated])
    expect(list?.length).toBeLessThanOrEqual(100)
  expect(event?.processed.toContactsUpdated).toHaveLength(100)
  expect(Object.keys((await review.read('t')).subscribedUsers)).toHaveLength(151)
})

test('of its comments it shows the first and the latest that have room in 256 KiB', async () => {
  const review = await newReview(service)
  const commentText = 'x'.repeat(100 * 1024)
  await review.thread('t', { commentData: [1, 2, 3, 4, 5].map((commentId) => ({ commentId, commentText, from: ada })) })
  await review.ok('comments/add', { annotationId: 't', commentData: [{ commentId: 6, from: ada }] })
  const [event] = await review.events()
  const shown = event?.advanced.data.commentAnnotation
  expect(shown?.comments.map(({ commentId }) => commentId)).toEqual([1, 4, 5, 6])
})

test('the events of one call repeat no large record each: they leave out its largest fields and say so', async () => {
  const review = await newReview(service)
  const text = 'x'.repeat(200 * 1024)
  const documents = [{ documentId: 'plan', text, kept: 'small' }]
  await review.ws.ok('/v2/organizations/documents/update', { organizationId: at.organizationId, documents })
  await review.thread('t', { pageInfo: { text } }, { commentText: text })
  await review.ok('comments/add', { annotationId: 't', commentData: [{ from: ada }] })
  const commentData = Array.from({ length: 100 }, () => ({ from: ada, commentText: 'short' }))
  await review.ok('comments/add', { annotationId: 't', commentData })
  const [first, ...others] = (await review.events()).map(({ advanced }) => advanced.data)
  expect(first?.metadata.documentMetadata).toMatchObject({ text, kept: 'small' })
  expect(first?.commentAnnotation).toMatchObject({ pageInfo: { text }, comments: [{ commentText: text }, {}] })
  for (const { metadata, commentAnnotation, targetComment } of others) {
    expect(metadata.documentMetadata).toMatchObject({ kept: 'small', isAbridged: true })
    expect(commentAnnotation).toMatchObject({ annotationId: 't', isAbridged: true })
    expect(commentAnnotation.comments[0]).toMatchObject({ commentId: 1, isAbridged: true })
    expect(targetComment).toMatchObject({ commentText: 'short' })
    expect(JSON.stringify([metadata, commentAnnotation]).length).toBeLessThan(20_000)
  }
})

test('a thousand comments by as many people are added at once, and their events leave out who subscribed', async () => {
  const review = await newReview(service)
  const commentData = Array.from({ length: 1_000 }, (_, i) => ({ from: { userId: `user${i}`, name: `User ${i}` } }))
  await review.thread('t', { commentData: commentData.slice(0, 150) })
  await review.ok('comments/add', { annotationId: 't', commentData })
  const events = await review.events()
  expect(events).toHaveLength(1_000)
  for (const { advanced, processed } of events) {
    const { commentAnnotation, targetComment } = advanced.data
    expect(commentAnnotation).toMatchObject({ annotationId: 't', isAbridged: true })
    expect(commentAnnotation.subscribedUsers).toBeUndefined()
    expect(processed).toMatchObject({ status: 'OPEN', commentTextFrom: { userId: targetComment?.from.userId } })
  }
})

test('a thread is described once for all of its changes, and has been viewed by who has seen its newest comment', () => {
  const comment = (commentId: number) => ({
    commentId,
    reactionAnnotationIds: [],
    createdAt: commentId,
  })
  const thread = {
    key: 'k',
    id: 't',
    record: { from: ada, status: { id: 'OPEN' }, visibilityConfig: { type: 'public' } },
    createdAt: 0,
    updatedAt: 0,
    comments: [comment(0), comment(98)],
    commentsCount: 100,
    newestAt: 99,
    participants: Array.from({ length: 100 }, (_, index) => ({ person: { userId: `user${index}` }, viewedAt: index })),
    reactionIds: [],
  } as unknown as Thread
  const { viewedByUserIds, commentsCount } = toAnnotation(thread, { apiKey: 'key', ...at })
  expect([viewedByUserIds, commentsCount]).toEqual([['user99'], 100])

  const change = changeBuilder(at as Parameters<typeof changeBuilder>[0], 'key', {})
  const [first, second] = [
    change(thread, 'comment.add', { actor: null }),
    change(thread, 'comment.add', { actor: null }),
  ]
  expect(second.annotation).toBe(first.annotation)
})
