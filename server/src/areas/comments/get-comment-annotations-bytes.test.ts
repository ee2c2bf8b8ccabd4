import { beforeAll, expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { newWorkspace, startConfigured, startService, type TestWorkspace } from '../../../test/running-service.ts'

const place = { organizationId: 'acme', documentId: 'plan' }
const from = { userId: 'ada' }
let ws: TestWorkspace

beforeAll(async () => {
  await startService()
  ws = await newWorkspace(await startConfigured({ PAGE_LIMIT_BYTES: '20000' }))
  const ids = Array.from({ length: 10 }, (_, n) => `t${n}`)
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    createOrganization: true,
    createDocument: true,
    commentAnnotations: ids.map((annotationId) => ({
      annotationId,
      commentData: [{ from, commentText: 'x'.repeat(5_000) }],
    })),
  })
})

const page = (more: object) => ws.ok('/v2/commentannotations/get', { ...place, ...more })
const comments = (more: object) => ws.ok('/v2/commentannotations/comments/get', { ...place, ...more })

/** Every page from the first to the last. */
async function pagesOf<Page extends { nextPageToken?: string | null }>(read: (more: object) => Promise<Page>) {
  const pages = [await read({})]
  for (let token = pages.at(-1)?.nextPageToken; token; token = pages.at(-1)?.nextPageToken) {
    pages.push(await read({ pageToken: token }))
  }
  return pages
}

test('a page holds no more bytes than PAGE_LIMIT_BYTES; with its token nothing is lost or repeated', async () => {
  const pages = await pagesOf((more) => page({ order: 'asc', ...more }))
  const ids = pages.map(({ data }) => ungrouped(data).map((thread) => thread?.annotationId))
  expect(pages.length).toBeGreaterThan(2)
  for (const each of ids) expect(each.length).toBeLessThan(6)
  expect(ids.flat().sort()).toEqual(Array.from({ length: 10 }, (_, n) => `t${n}`))
})

test('the people of threads count towards the bytes of a page, and so do the ids of reactions', async () => {
  const few = await newWorkspace(await startConfigured({ PAGE_LIMIT_BYTES: '20000' }))
  const annotationIds = ['t0', 't1', 't2', 't3']
  const commentAnnotations = annotationIds.map((annotationId) => ({ annotationId, commentData: [{ from }] }))
  const created = { createOrganization: true, createDocument: true }
  await few.ok('/v2/commentannotations/add', { ...place, ...created, commentAnnotations })
  const firstPage = async () => ungrouped((await few.ok('/v2/commentannotations/get', place)).data).length
  expect(await firstPage()).toBe(4)
  const reactions = Array.from({ length: 30 }, (_, n) => ({ reactionId: `${n} ${'r'.repeat(200)}`, icon: 'x', from }))
  await few.ok('/v2/reactions/add', { ...place, annotationId: 't0', reactions })
  const subscribeUsers = Array.from({ length: 4 }, (_, n) => ({ userId: `u${n}`, photoUrl: 'p'.repeat(1_500) }))
  await few.ok('/v2/commentannotations/update', { ...place, annotationIds, subscribeUsers })
  expect(await firstPage()).toBe(3)
  const more = subscribeUsers.map(({ userId, photoUrl }) => ({ userId: `${userId} too`, photoUrl }))
  await few.ok('/v2/commentannotations/update', { ...place, annotationIds, subscribeUsers: more })
  expect(await firstPage()).toBe(2)
})

test('a page holds at least one thread, however large', async () => {
  const commentData = [{ from, commentText: 'y'.repeat(50_000) }]
  await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [{ annotationId: 'huge', commentData }] })
  const { data, nextPageToken } = await page({ order: 'desc' })
  expect(ungrouped(data).map((thread) => thread?.annotationId)).toEqual(['huge'])
  expect(nextPageToken).not.toBeNull()
  await ws.ok('/v2/commentannotations/delete', { ...place, annotationIds: ['huge'] })
})

test('a thread shows its first comment and its latest ones within the bound, with how many there are', async () => {
  const text = (n: number) => `${n} ${'z'.repeat(2_000)}`
  const commentData = Array.from({ length: 30 }, (_, n) => ({ from, commentId: n + 1, commentText: text(n) }))
  await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [{ annotationId: 'long', commentData }] })
  const { data } = await page({ annotationIds: ['long'] })
  const [thread] = ungrouped(data)
  const shown = thread?.comments.map(({ commentId }) => commentId) ?? []
  expect(thread).toMatchObject({ commentsCount: 30, commentsTruncated: true })
  expect(shown[0]).toBe(1)
  expect(shown.slice(1)).toEqual(Array.from({ length: shown.length - 1 }, (_, n) => 31 - shown.length + n + 1))
  expect(shown.length).toBeGreaterThan(3)
  expect(JSON.stringify(thread?.comments.map(({ commentText }) => commentText)).length).toBeLessThan(20_000)
})

test('a thread shows at most 200 comments inline; all of them page through comments/get', async () => {
  const commentData = Array.from({ length: 260 }, (_, n) => ({ from, commentId: n + 1, commentText: 'a' }))
  await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [{ annotationId: 'many', commentData }] })
  const small = await newWorkspace(await startService())
  await small.ok('/v2/commentannotations/add', {
    ...place,
    createOrganization: true,
    createDocument: true,
    commentAnnotations: [{ annotationId: 'many', commentData }],
  })
  const [thread] = ungrouped((await small.ok('/v2/commentannotations/get', place)).data)
  expect([thread?.comments.length, thread?.commentsCount, thread?.commentsTruncated]).toEqual([200, 260, true])
  expect(thread?.comments.map(({ commentId }) => commentId).slice(0, 2)).toEqual([1, 62])
  const pages = await pagesOf((more) => comments({ annotationId: 'many', pageSize: 100, ...more }))
  expect(pages.flatMap(({ data }) => data.map((comment) => comment?.commentId))).toEqual(
    Array.from({ length: 260 }, (_, n) => n + 1),
  )
})

test('comments/get pages through the ids of a request, with null for each unknown one', async () => {
  const commentIds = [5, 999, 3, 7]
  const pages = await pagesOf((more) => comments({ annotationId: 'many', commentIds, pageSize: 2, ...more }))
  expect(pages.map(({ data }) => data.map((comment) => comment?.commentId ?? null))).toEqual([
    [5, null],
    [3, 7],
  ])
  expect((await comments({ annotationId: 'nowhere', commentIds })).data).toEqual([null, null, null, null])
  expect((await comments({ annotationId: 'nowhere' })).data).toEqual([])
})
