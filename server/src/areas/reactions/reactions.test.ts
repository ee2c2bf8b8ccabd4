import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ada, at, bob, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.thread('t')
})

const to = { ...at, annotationId: 't' }
const add = async (reactions: object[], more: object = {}) =>
  (await review.ws.ok('/v2/reactions/add', { ...to, reactions, ...more })).data
const ids = async (filter: object = {}) =>
  (await review.ws.ok('/v2/reactions/get', { organizationId: 'acme', ...filter })).data.map(
    ({ annotationId = '' }) => annotationId,
  )

describe('reactions/add', () => {
  test('answers per reaction id; each is one comment.reaction_add with its comment', async () => {
    const result = await add(
      [
        { reactionId: 'r', icon: 'HEART_FACE', from: bob },
        { icon: 'X', from: ada },
      ],
      { commentId: 1 },
    )
    expect(result.r).toEqual({ success: true, id: 'r', message: 'Reaction added.' })
    expect(Object.keys(result)).toHaveLength(2)
    const events = await review.events()
    expect(events.map(({ type }) => type)).toEqual(['comment.reaction_add', 'comment.reaction_add'])
    const event = events.find(({ basic }) => basic.actionUser?.userId === 'bob')
    expect(event?.basic).toMatchObject({
      actionType: 'reactionAdded',
      actionUser: bob,
      targetComment: { commentId: 1 },
    })
    expect(event?.advanced.data.reaction).toMatchObject({ id: 'r', icon: 'HEART_FACE' })
    expect((await review.read('t')).comments[0]?.reactionAnnotationIds).toContain('r')
  })

  test('many repeat no large location of their thread', async () => {
    const location = { id: 'here', note: 'x'.repeat(200_000) }
    await review.thread('far', { location })
    const reactions = Array.from({ length: 200 }, () => ({ icon: 'X', from: ada }))
    const { body } = await review.ws.call('/v2/reactions/add', { ...to, annotationId: 'far', reactions })
    expect(body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'reactions must repeat the location in at most 32 MiB in all',
    })
    await add(reactions.slice(0, 2), { annotationId: 'far' })
    expect(await ids({ annotationId: 'far' })).toHaveLength(2)
  })

  test('one that exists is success: false and stays as it is', async () => {
    await add([{ reactionId: 'r', icon: 'A', from: bob }])
    expect((await add([{ reactionId: 'r', icon: 'B', from: bob }])).r?.success).toBe(false)
    const { data } = await review.ws.ok('/v2/reactions/get', { organizationId: 'acme' })
    expect(data).toEqual([
      {
        annotationId: 'r',
        type: 'reaction',
        icon: 'A',
        commentAnnotationId: 't',
        commentId: null,
        from: { ...bob, initial: 'B' },
        fromUsers: [{ from: { ...bob, initial: 'B' }, lastUpdated: expect.any(Number) }],
        locationId: null,
        lastUpdated: expect.any(Number),
        metadata: { apiKey: review.ws.apiKey, documentId: 'plan', organizationId: 'acme' },
      },
    ])
    expect((await review.read('t')).reactionAnnotationIds).toEqual(['r'])
  })

  test('the same ids added to two threads at once are added, and announced, once', async () => {
    await review.thread('u')
    for (let round = 0; round < 8; round++) {
      const reactions = Array.from({ length: 5 }, (_, i) => ({ reactionId: `${round}-${i}`, icon: 'A', from: bob }))
      const answers = await Promise.all(['t', 'u', 't'].map((annotationId) => add(reactions, { annotationId })))
      for (const { reactionId } of reactions)
        expect(answers.filter((answer) => answer[reactionId]?.success)).toHaveLength(1)
    }
    expect(await review.types()).toHaveLength(40)
    expect(await ids()).toHaveLength(40)
  })

  test('an unknown document, annotation or comment is NOT_FOUND', async () => {
    for (const more of [{ documentId: 'x' }, { annotationId: 'x' }, { commentId: 9 }]) {
      const { status } = await review.ws.call('/v2/reactions/add', {
        ...to,
        reactions: [{ icon: 'A', from: ada }],
        ...more,
      })
      expect(status).toBe(404)
    }
  })

  test('verifyUserPermissions refuses the reactions of users without access', async () => {
    const access = { organizationId: 'acme', documentIds: ['plan'], accessType: 'restricted' }
    await review.ws.ok('/v2/organizations/documents/access/update', access)
    const result = await add([{ reactionId: 'r', icon: 'A', from: bob }], { verifyUserPermissions: true })
    expect(result.r?.success).toBe(false)
    expect(await ids()).toEqual([])
  })

  test('triggerNotification: false is silent, that of an item wins', async () => {
    const reactions = [
      { icon: 'A', from: bob },
      { reactionId: 'loud', icon: 'B', from: bob, triggerNotification: true },
    ]
    await add(reactions, { triggerNotification: false })
    expect((await review.events()).map(({ advanced }) => advanced.data.reaction?.id)).toEqual(['loud'])
  })
})

test('reactions/get filters by document, annotation, comment, user and id, in pages', async () => {
  await review.thread('u')
  await add([
    { reactionId: 'a', icon: 'A', from: bob },
    { reactionId: 'b', icon: 'A', from: ada },
  ])
  await add([{ reactionId: 'c', icon: 'A', from: ada }], { commentId: 1 })
  await add([{ reactionId: 'd', icon: 'A', from: ada }], { annotationId: 'u' })
  expect((await ids()).sort()).toEqual(['a', 'b', 'c', 'd'])
  expect(await ids({ documentId: 'x' })).toEqual([])
  expect(await ids({ organizationId: 'x' })).toEqual([])
  expect(await ids({ annotationId: 'u' })).toEqual(['d'])
  expect(await ids({ commentId: 1 })).toEqual(['c'])
  expect(await ids({ userId: 'bob' })).toEqual(['a'])
  expect(await ids({ reactionIds: ['d', 'x'] })).toEqual(['d'])
  const first = await review.ws.ok('/v2/reactions/get', { organizationId: 'acme', pageSize: 3 })
  const second = await review.ws.ok('/v2/reactions/get', {
    organizationId: 'acme',
    pageSize: 3,
    pageToken: first.pageToken,
  })
  expect([first.data.length, second.data.length, second.pageToken]).toEqual([3, 1, null])
})

test('reactions are listed in the order in which they were added, within a call too', async () => {
  const names = ['d', 'b', 'e', 'a', 'c']
  await add(names.map((reactionId) => ({ reactionId, icon: 'A', from: bob })))
  expect(await ids()).toEqual(names)
  expect((await review.read('t')).reactionAnnotationIds).toEqual(names)
})

test('reactions/delete answers per id and emits comment.reaction_delete', async () => {
  await add([{ reactionId: 'r', icon: 'A', from: bob }], { commentId: 1, triggerNotification: false })
  const { data } = await review.ws.ok('/v2/reactions/delete', { ...at, reactionIds: ['r', 'x'] })
  expect(data).toEqual({
    r: { success: true, id: 'r', message: 'Reaction deleted.' },
    x: { success: false, id: 'x', message: 'Reaction does not exist.' },
  })
  const [event, ...more] = await review.events()
  expect(more).toEqual([])
  expect(event?.basic).toMatchObject({ actionType: 'reactionDeleted', targetComment: { reactionAnnotationIds: [] } })
  expect(await ids()).toEqual([])
  const nowhere = await review.ws.ok('/v2/reactions/delete', { ...at, documentId: 'x', reactionIds: ['r'] })
  expect(nowhere.data.r?.success).toBe(false)
})

test('each of many reactions that are deleted is told once, with its comment and a thread that lacks them all', async () => {
  const commentData = Array.from({ length: 60 }, (_, n) => ({ commentId: n + 2, commentText: `No. ${n}`, from: ada }))
  await review.ok('comments/add', { annotationId: 't', commentData, triggerNotification: false })
  const quiet = { triggerNotification: false }
  for (const { commentId } of commentData) {
    await add([{ reactionId: `r${commentId}`, icon: 'x', from: bob }], { commentId, ...quiet })
  }
  await add([{ reactionId: 'r', icon: 'x', from: bob }], quiet)
  const reactionIds = [...commentData.map(({ commentId }) => `r${commentId}`), 'r']
  await review.ws.ok('/v2/reactions/delete', { organizationId: 'acme', reactionIds })
  const told = (await review.events()).map(({ basic }) => basic)
  expect(told.map(({ reaction }) => reaction?.id).sort()).toEqual(reactionIds.sort())
  for (const { reaction, targetComment, commentAnnotation } of told) {
    expect(`r${targetComment?.commentId ?? ''}`).toBe(reaction?.id)
    expect(commentAnnotation).toMatchObject({ reactionAnnotationIds: [] })
    expect(commentAnnotation.comments.flatMap((each) => each.reactionAnnotationIds)).toEqual([])
  }
})

test('the actionUser of reactions/delete is told as the one who deleted; without one it is who reacted', async () => {
  await add(
    [
      { reactionId: 'r', icon: 'A', from: bob },
      { reactionId: 's', icon: 'B', from: bob },
    ],
    { triggerNotification: false },
  )
  await review.ws.ok('/v2/reactions/delete', { ...at, reactionIds: ['r'], actionUser: { userId: 'ada' } })
  await review.ws.ok('/v2/reactions/delete', { ...at, reactionIds: ['s'] })
  expect((await review.events()).map(({ basic }) => basic.actionUser?.userId)).toEqual(['ada', 'bob'])
})

test('reactions/delete by reactionIds alone finds them in every document of the organization, and no other', async () => {
  const { ws } = review
  const commentAnnotations = [{ annotationId: 'far', commentData: [{ commentText: 'x', from: ada }] }]
  const elsewhere = (place: object) => ({
    ...at,
    documentId: 'other',
    ...place,
    createOrganization: true,
    createDocument: true,
  })
  for (const place of [{}, { organizationId: 'globex' }]) {
    await ws.ok('/v2/commentannotations/add', { ...elsewhere(place), commentAnnotations, triggerNotification: false })
    const reactions = [{ reactionId: 'f', icon: 'A', from: bob }]
    const added = { ...elsewhere(place), annotationId: 'far', reactions, triggerNotification: false }
    await ws.ok('/v2/reactions/add', added)
  }
  await add([{ reactionId: 'r', icon: 'A', from: bob }], { triggerNotification: false })
  const { data } = await ws.ok('/v2/reactions/delete', { organizationId: 'acme', reactionIds: ['r', 'f', 'x'] })
  expect([data.r?.success, data.f?.success, data.x?.success]).toEqual([true, true, false])
  const documents = (await review.events()).map(({ type, document_id }) => [type, document_id])
  expect(documents.sort()).toEqual([
    ['comment.reaction_delete', 'other'],
    ['comment.reaction_delete', 'plan'],
  ])
  expect(await ids()).toEqual([])
  expect(await ids({ organizationId: 'globex' })).toEqual(['f'])
})

test('reactions go with their comment, and with the data of their location', async () => {
  await add([{ reactionId: 'r', icon: 'A', from: bob }], { commentId: 1 })
  await add([{ reactionId: 's', icon: 'A', from: bob }], { location: { id: 'a' } })
  await review.ok('comments/add', { annotationId: 't', commentData: [{ commentId: 2, from: bob }] })
  await review.ok('comments/delete', { annotationId: 't', commentIds: [1] })
  expect(await ids()).toEqual(['s'])
  const { 'x-service-api-key': apiKey, 'x-service-auth-token': authToken } = review.ws.keyHeaders as Record<
    string,
    string
  >
  const credentials = { apiKey, authToken, documentId: 'plan' }
  const migrate = { oldLocation: { id: 'a' }, newLocation: { id: 'b' } }
  await review.ws.ok('/v1/organizations/documents/locations/update', { ...credentials, migrate })
  await review.ws.ok('/v1/organizations/documents/locations/data/delete', { ...credentials, location: { id: 'a' } })
  expect(await ids()).toEqual(['s'])
  await review.ws.ok('/v1/organizations/documents/locations/data/delete', { ...credentials, location: { id: 'b' } })
  expect(await ids()).toEqual([])
})
