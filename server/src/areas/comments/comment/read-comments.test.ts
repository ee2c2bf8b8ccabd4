import { beforeAll, expect, test } from 'vitest'
import { newReview, type Review } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'
import { keyOf } from '../../../platform/id.ts'
import { readComments, type WantedComments } from './read-comments.ts'

let review: Review
beforeAll(async () => {
  review = await newReview(await startService())
  const commentData = Array.from({ length: 40 }, (_, n) => ({
    // Ids are in no order.
    commentId: ((n * 7) % 41) + 1,
    from: { userId: `user-${n % 20}` },
    commentText: `text ${n}`,
    createdAt: n === 20 ? 9_000 : 1_000 + n,
  }))
  await review.thread('t', { commentData })
  await review.thread('short')
})

async function read(wanted: WantedComments) {
  const { database } = await startService()
  const tenant = { apiKey: review.ws.apiKey, workspaceId: review.ws.id }
  const threads = await readComments(database, tenant, keyOf('acme'), ['t', 'short'].map(keyOf), wanted)
  return ['t', 'short'].map((id) => {
    const { rows = [], ...counted } = threads.get(keyOf(id)) ?? {}
    return { ...counted, texts: rows.map(({ record }) => record.commentText) }
  })
}

const texts = (...places: number[]) => places.map((n) => `text ${n}`)
const LATEST = [31, 32, 33, 34, 35, 36, 37, 38, 39]
const COUNTED = { commentsCount: 40, newestAt: 9_000 }
const SHORT = { commentsCount: 1, newestAt: expect.any(Number), texts: ['First'] }

test('of a long thread only those comments are read that a change needs, and it is known what others there are', async () => {
  expect(await read({})).toEqual([{ ...COUNTED, texts: texts(0, ...LATEST) }, SHORT])
  expect(await read({ latestBy: ['user-3', 'nobody'] })).toEqual([
    { ...COUNTED, texts: texts(0, 23, ...LATEST) },
    SHORT,
  ])
  // The named ones may be deleted, so there are as many others as before.
  const [first, second, last] = [1, 8, 28]
  expect(await read({ commentIds: [second, last] })).toEqual([{ ...COUNTED, texts: texts(0, 1, 30, ...LATEST) }, SHORT])
  expect(await read({ commentIds: [first] })).toEqual([{ ...COUNTED, texts: texts(0, 1, ...LATEST) }, SHORT])
})

test('where all are read, those that events do not show and that are not named may be outlines', async () => {
  const all = texts(...Array.from({ length: 40 }, (_, n) => n))
  expect(await read('all')).toEqual([{ ...COUNTED, texts: all }, SHORT])
  const whole = (...places: number[]) =>
    all.map((text, n) => (n === 0 || n > 30 || places.includes(n) ? text : undefined))
  expect(await read({ outlines: true })).toEqual([{ ...COUNTED, texts: whole() }, SHORT])
  expect(await read({ outlines: true, latestBy: ['user-3'] })).toEqual([{ ...COUNTED, texts: whole(23) }, SHORT])
})
