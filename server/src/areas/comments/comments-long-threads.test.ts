import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'

const place = { organizationId: 'acme', documentId: 'plan' }
const thread = { ...place, annotationId: 't' }
const from = { userId: 'ada' }
const LENGTH = 40
let ws: TestWorkspace

beforeAll(async () => {
  ws = await newWorkspace(await startService())
  const commentData = Array.from({ length: LENGTH }, (_, n) => ({
    from: { userId: `user-${n}` },
    commentId: n + 1,
    commentText: `text ${n + 1}`,
    context: { n },
  }))
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    createOrganization: true,
    createDocument: true,
    commentAnnotations: [{ annotationId: 't', commentData }],
  })
})

const comments = async () => (await ws.ok('/v2/commentannotations/comments/get', thread)).data

test('a write to a long thread leaves its other comments as they are', async () => {
  const before = await comments()
  expect(before).toHaveLength(LENGTH)
  const commentData = [{ from, commentId: 100, commentText: 'more' }]
  await ws.ok('/v2/commentannotations/comments/add', { ...thread, commentData })
  const updatedData = { commentText: 'changed' }
  await ws.ok('/v2/commentannotations/comments/update', { ...thread, commentIds: [10], updatedData })
  await ws.ok('/v2/commentannotations/comments/delete', { ...thread, commentIds: [12, 40] })
  await ws.ok('/v2/reactions/add', { ...thread, commentId: 14, reactions: [{ icon: 'heart', from, reactionId: 'r' }] })
  const resolve = { ...place, annotationIds: ['t'], updatedData: { status: { id: 'RESOLVED' } } }
  await ws.ok('/v2/commentannotations/update', resolve)
  const after = await comments()
  const idsOf = (list: typeof before) => list.map((comment) => comment?.commentId)
  expect(idsOf(after)).toEqual([...idsOf(before).filter((id) => id !== 12 && id !== 40), 100])
  const changed = new Set([10, 12, 14, 40])
  const untouched = (list: typeof before) =>
    list.filter((each) => each && each.commentId < 100 && !changed.has(each.commentId))
  expect(untouched(after)).toEqual(untouched(before))
  expect(after.find((each) => each?.commentId === 10)).toMatchObject({ commentText: 'changed', context: { n: 9 } })
  expect(after.find((each) => each?.commentId === 14)).toMatchObject({
    commentText: 'text 14',
    reactionAnnotationIds: ['r'],
  })
})

test('replacing a user in a long thread keeps the texts of its comments', async () => {
  const before = await comments()
  const updateUsers = [{ oldUser: { userId: 'user-20' }, newUser: { userId: 'grace' } }]
  await ws.ok('/v2/commentannotations/update', { ...place, annotationIds: ['t'], updateUsers })
  const after = await comments()
  expect(after.map((each) => each?.commentText)).toEqual(before.map((each) => each?.commentText))
  expect(after.find((each) => each?.commentId === 21)?.from.userId).toBe('grace')
})

test('a user whose only mention in the middle of a long thread is deleted is no longer mentioned', async () => {
  const to = [{ userId: 'zoe' }]
  const commentData = [
    { from, commentId: 200, commentText: 'hi', taggedUserContacts: to.map((contact) => ({ userId: 'zoe', contact })) },
  ]
  await ws.ok('/v2/commentannotations/comments/add', { ...thread, commentData })
  const more = Array.from({ length: 20 }, (_, n) => ({ from, commentId: 201 + n, commentText: 'later' }))
  await ws.ok('/v2/commentannotations/comments/add', { ...thread, commentData: more })
  const read = async () => {
    const { data } = await ws.ok('/v2/commentannotations/get', { ...place, annotationIds: ['t'] })
    return JSON.stringify(data).match(/"mentionedUserIds":\[[^\]]*\]/)?.[0]
  }
  expect(await read()).toContain('zoe')
  await ws.ok('/v2/commentannotations/comments/delete', { ...thread, commentIds: [200] })
  expect(await read()).not.toContain('zoe')
})

test('who has not seen the newest comment has not viewed the thread, also where the comment is not shown inline', async () => {
  const comment = (n: number) => ({ commentId: n + 1, from: { userId: 'writer' }, createdAt: 1_000 })
  const commentData = Array.from({ length: 220 }, (_, n) => comment(n))
  commentData[5] = { ...comment(5), createdAt: 3_000 }
  commentData[219] = { ...comment(219), from: { userId: 'reader' }, createdAt: 2_000 }
  await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations: [{ annotationId: 'long', commentData }] })
  const inPlace = { organizationId: 'acme', documentIds: ['plan'] }
  const { data: counts } = await ws.ok('/v2/commentannotations/count/get', { ...inPlace, userId: 'reader' })
  const { data: read } = await ws.ok('/v2/commentannotations/get', { ...inPlace, annotationIds: ['long'] })
  const { data: own } = await ws.ok('/v2/users/data/get', { organizationId: 'acme', userId: 'reader' })
  expect(counts.plan?.unread).toBe(2)
  const unseen = { commentsTruncated: true, viewedByUserIds: ['writer'] }
  expect(read).toMatchObject([unseen])
  expect(own.comments).toMatchObject([unseen])
})
