import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ada, at, bob, newReview, type Review } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'

const cy = { userId: 'cy' }
const verified = { verifyUserPermissions: true }

let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
})

const comment = (annotationId: string, from: object) =>
  review.call('comments/add', { ...verified, annotationId, commentData: [{ from, commentText: 'Text' }] })
const react = (annotationId: string, from: object) =>
  review.ws.call('/v2/reactions/add', { ...at, ...verified, annotationId, reactions: [{ icon: 'UP', from }] })
const edit = (annotationId: string, actionUser: object) =>
  review.call('comments/update', {
    ...verified,
    actionUser,
    annotationId,
    commentIds: [1],
    updatedData: { commentText: 'New' },
  })
const removeComment = (annotationId: string, actionUser: object) =>
  review.call('comments/delete', { ...verified, actionUser, annotationId, commentIds: [1] })
const update = (annotationId: string, actionUser: object) =>
  review.ok('update', { ...verified, actionUser, annotationIds: [annotationId], updatedData: { color: 'red' } })
const remove = (annotationId: string, actionUser: object) =>
  review.ok('delete', { ...verified, actionUser, annotationIds: [annotationId] })

test('a verified user neither writes in a restricted thread of others nor changes it', async () => {
  await review.thread('t', { visibility: { type: 'restricted', userIds: ['bob'] } })
  for (const write of [comment, react, edit, removeComment]) {
    const { status, body } = await write('t', cy)
    expect([status, body.error.message]).toEqual([403, 'The annotation t is not shown to the user cy.'])
  }
  for (const change of [update, remove]) {
    expect(await change('t', cy)).toEqual({ t: { success: false, id: 't', message: 'Annotation not found.' } })
  }
})

test('a verified user takes no reaction out of a restricted thread of others', async () => {
  await review.thread('t')
  const reactions = [{ reactionId: 'r', icon: 'UP', from: ada }]
  await review.ws.ok('/v2/reactions/add', { ...at, annotationId: 't', reactions })
  await review.ok('update', {
    annotationIds: ['t'],
    updatedData: { visibility: { type: 'restricted', userIds: ['bob'] } },
  })
  const take = async (actionUser: object) => {
    const { data } = await review.ws.ok('/v2/reactions/delete', { ...at, ...verified, reactionIds: ['r'], actionUser })
    return data.r?.success
  }
  expect([await take(cy), await take(bob)]).toEqual([false, true])
})

test('whom a restricted thread names, and its author, write in it and change it', async () => {
  await review.thread('t', { visibility: { type: 'restricted', userIds: ['bob'] } })
  for (const user of [bob, ada]) {
    for (const write of [comment, react, edit]) expect((await write('t', user)).status).toBe(200)
    expect(await update('t', user)).toMatchObject({ t: { success: true } })
  }
  expect(await remove('t', bob)).toMatchObject({ t: { success: true } })
})

test('a thread of the organization is for its users and its author', async () => {
  await review.ws.ok('/v2/users/add', { organizationId: at.organizationId, users: [bob] })
  await review.thread('t', { visibility: { type: 'organizationPrivate' } })
  const statuses = await Promise.all([ada, bob, cy].map(async (user) => (await comment('t', user)).status))
  expect(statuses).toEqual([200, 200, 403])
})

test('a thread that is private to another organization is for its users, who are told of it, and its author', async () => {
  for (const [organizationId, user] of [
    ['globex', bob],
    ['acme', cy],
  ] as const)
    await review.ws.ok('/v2/users/add', { organizationId, users: [user] })
  await review.ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  const commentAnnotations = [
    {
      annotationId: 't',
      visibility: { type: 'organizationPrivate', organizationId: 'globex' },
      commentData: [{ from: ada, commentText: 'Look, {{bob}} and {{cy}}' }],
    },
  ] as const
  await review.ok('add', { commentAnnotations: [...commentAnnotations] })
  const of = async ({ userId }: { userId: string }) => {
    const { data: told } = await review.ws.ok('/v2/notifications/get', { organizationId: at.organizationId, userId })
    const seen = await review.threads({ visibleToUserId: userId })
    const { plan } = await review.ok('count/get', { documentIds: ['plan'], userId })
    return [told.length > 0, seen.length, plan?.total, (await comment('t', { userId })).status]
  }
  expect([await of(ada), await of(bob), await of(cy)]).toEqual([
    [false, 1, 1, 200],
    [true, 1, 1, 200],
    [false, 0, 0, 403],
  ])
})

test('without verifyUserPermissions every caller writes in every thread', async () => {
  await review.thread('t', { visibility: { type: 'restricted' } })
  const { status } = await review.call('comments/add', { annotationId: 't', commentData: [{ from: cy }] })
  expect(status).toBe(200)
})
