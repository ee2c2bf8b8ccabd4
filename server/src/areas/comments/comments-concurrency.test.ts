import { setTimeout as delay } from 'node:timers/promises'
import { assert, beforeAll, expect, test } from 'vitest'
import { ada, newReview } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})

const threads = (ids: string[]) =>
  ids.map((annotationId) => ({ annotationId, commentData: [{ from: ada, commentText: annotationId }] }))

test('the same threads added from several sides at once are added, and announced, once', async () => {
  const review = await newReview(service)
  const ids = Array.from({ length: 20 }, (_, i) => `t${i}`)
  const lists = [ids, ids.toReversed(), ids, ids.toReversed()]
  const answers = await Promise.all(lists.map((list) => review.ok('add', { commentAnnotations: threads(list) })))
  for (const id of ids) expect(answers.filter((answer) => answer[id]?.success)).toHaveLength(1)
  expect(await review.types()).toHaveLength(20)
  expect((await review.threads()).every((thread) => thread?.comments.length === 1)).toBe(true)
})

test('the same threads added to two documents at once are in one of them, and announced once', async () => {
  const review = await newReview(service)
  await review.ws.ok('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'other' }],
  })
  for (let round = 0; round < 8; round++) {
    const ids = Array.from({ length: 10 }, (_, i) => `r${round}-${i}`)
    const add = (documentId: string, list: string[]) =>
      review.ok('add', { documentId, commentAnnotations: threads(list) })
    const answers = await Promise.all([add('plan', ids), add('other', ids.toReversed()), add('plan', ids)])
    for (const id of ids) expect(answers.filter((answer) => answer[id]?.success)).toHaveLength(1)
  }
  expect(await review.types()).toHaveLength(80)
  const comments = await service.database.query(sql`select id from comment where api_key = ${review.ws.apiKey}`)
  expect(comments).toHaveLength(80)
})

test('threads updated and deleted from several sides at once end deleted, each announced as deleted once', async () => {
  const review = await newReview(service)
  const ids = Array.from({ length: 20 }, (_, i) => `t${i}`)
  await review.ok('add', { triggerNotification: false, commentAnnotations: threads(ids) })
  const status = { id: 'RESOLVED' }
  await Promise.all([
    review.ok('update', { updatedData: { status } }),
    review.ok('delete', { annotationIds: ids }),
    review.ok('update', { annotationIds: ids.toReversed(), updatedData: { status } }),
    review.ok('delete', { annotationIds: ids.toReversed() }),
  ])
  expect(await review.ok('get')).toEqual([])
  expect((await review.types()).filter((type) => type === 'comment.delete')).toHaveLength(20)
})

test('a document deleted while threads are added leaves neither thread nor comment behind', async () => {
  const review = await newReview(service)
  const [added] = await Promise.all([
    review.call('add', { commentAnnotations: threads(['a', 'b', 'c']) }),
    review.ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] }),
  ])
  expect([200, 404]).toContain(added.status)
  const left = await service.database.query(sql`
    select key from comment_annotation where api_key = ${review.ws.apiKey}
    union all
    select annotation_key from comment where api_key = ${review.ws.apiKey}
    union all
    select annotation_key from comment_participant where api_key = ${review.ws.apiKey}`)
  expect(left).toEqual([])
})

test('the threads of a document are numbered from 1 on, each number once, from however many sides they are added', async () => {
  const review = await newReview(service)
  const lists = [0, 1, 2, 3].map((side) => ['a', 'b', 'c'].map((name) => `${name}${side}`))
  await Promise.all(lists.map((ids) => review.ok('add', { commentAnnotations: threads(ids) })))
  const added = await review.threads()
  const numbers = added.map((thread) => thread?.annotationNumber ?? 0)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  for (const ids of lists) {
    const [first, ...others] = await Promise.all(ids.map((id) => review.read(id)))
    assert(first)
    for (const [index, thread] of others.entries())
      expect(thread.annotationNumber).toBe(first.annotationNumber + index + 1)
    expect(first.annotationIndex).toBe(first.annotationNumber)
  }
})

test.each([1, 60])('a change of %i comments is dated after the change that it waited for', async (count) => {
  const review = await newReview(service)
  const commentData = Array.from({ length: count }, (_, i) => ({ from: ada, commentText: `${i}` }))
  await review.ok('add', { commentAnnotations: [{ annotationId: 'long', commentData }] })
  const commentIds = (await review.read('long')).comments.map(({ commentId }) => commentId)

  let waiting: Promise<unknown> | undefined
  const ended = await service.database.transaction(async (db) => {
    await db.query(sql`select from comment_annotation where api_key = ${review.ws.apiKey} for update`)
    const change = { annotationId: 'long', commentIds, updatedData: { commentText: 'new' } }
    waiting = review.ok('comments/update', change)
    // Until it has asked for the lock.
    await delay(200)
    const [clock] = await db.query<{ now: number }>(sql`select now_ms() as now`)
    return clock?.now ?? 0
  })
  await waiting
  expect((await review.read('long')).lastUpdated).toBeGreaterThanOrEqual(ended)
})
