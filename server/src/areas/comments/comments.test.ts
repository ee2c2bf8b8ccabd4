import { assert, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

const add = (commentData: object[], more: object = {}) =>
  review.ok('comments/add', { annotationId: 't', commentData, ...more })
const texts = async () => (await review.read('t')).comments.map(({ commentText = '' }) => commentText)

describe('comments/add', () => {
  test('answers the ids; each comment is one comment.add', async () => {
    const ids = await add([
      { from: bob, commentText: 'Two' },
      { from: ada, commentId: 9_000_000, commentText: 'Three' },
    ])
    expect(ids).toEqual([expect.any(Number), 9_000_000])
    expect(await review.types()).toEqual(['comment.add', 'comment.add'])
    const [event] = await review.events()
    expect(event?.advanced).toMatchObject({
      actionType: 'add',
      data: { actionUser: bob, targetComment: { commentText: 'Two' } },
    })
    expect(event?.processed).toMatchObject({ toContactsUpdated: [{ userId: 'ada' }] })
    expect(await texts()).toEqual(['First', 'Two', 'Three'])
  })

  test('a comment whose id exists stays as it is and is left out of the answer', async () => {
    expect(
      await add([
        { from: bob, commentId: 1, commentText: 'No' },
        { from: bob, commentId: 2, commentText: 'Yes' },
      ]),
    ).toEqual([2])
    expect(await texts()).toEqual(['First', 'Yes'])
  })

  test('an unknown annotation, or one of another document, is NOT_FOUND', async () => {
    await review.ws.ok('/v2/organizations/documents/add', { ...at, documents: [{ documentId: 'other' }] })
    for (const place of [{ annotationId: 'x' }, { annotationId: 't', documentId: 'other' }]) {
      const { status } = await review.call('comments/add', { ...place, commentData: [{ from: ada }] })
      expect(status).toBe(404)
    }
  })

  test('{{userId}} mentions a stored user, a tagged contact mentions anyone; both join the thread', async () => {
    await review.ws.ok('/v2/users/add', { organizationId: 'acme', users: [bob] })
    const eve = { userId: 'eve', name: 'Eve', email: 'eve@example.com' }
    await add([
      {
        from: ada,
        commentText: '{{bob}} {{nobody}} @Eve',
        taggedUserContacts: [{ userId: 'eve', text: '@Eve', contact: eve }],
      },
    ])
    const { mentionedUserIds, comments, subscribedUsers } = await review.read('t')
    expect(mentionedUserIds.sort()).toEqual(['bob', 'eve'])
    expect(comments[1]?.taggedUserContacts).toMatchObject([
      { userId: 'bob', text: '{{bob}}', contact: bob },
      { userId: 'eve', text: '@Eve', contact: eve },
    ])
    expect(Object.keys(subscribedUsers)).toHaveLength(3)
    const [event] = await review.events()
    expect(event?.processed.toContactsTagged.map(({ userId }) => userId)).toEqual(['bob', 'eve'])
  })

  test('verifyUserPermissions: a user without access is PERMISSION_DENIED and nothing is written', async () => {
    const access = { organizationId: 'acme', documentIds: ['plan'], accessType: 'restricted' }
    await review.ws.ok('/v2/organizations/documents/access/update', access)
    const commentData = [{ from: bob, commentText: 'x' }]
    const { status } = await review.call('comments/add', {
      annotationId: 't',
      verifyUserPermissions: true,
      commentData,
    })
    expect(status).toBe(403)
    expect(await texts()).toEqual(['First'])
    await review.ws.ok('/v2/users/add', { ...at, users: [{ ...bob, accessRole: 'viewer' }] })
    await add(commentData, { verifyUserPermissions: true })
    expect(await texts()).toEqual(['First', 'x'])
  })

  test('what is attached and said of the comment is kept', async () => {
    const attachments = [
      { attachmentId: 123456, name: 'a.png', url: 'https://example.com/a.png', size: 7, bucketPath: 'b' },
    ]
    const agent = { agentId: 'a', agentSource: 'external', agentName: 'A', reason: { title: 'T', findingId: 'F' } }
    await add([{ from: bob, commentHtml: '<b>x</b>', attachments, agent, context: { access: { team: 'x' } } }])
    expect((await review.read('t')).comments[1]).toMatchObject({
      commentHtml: '<b>x</b>',
      attachments,
      agent: { ...agent, agentType: 'external' },
      context: { access: { team: 'x' }, accessFields: ['team:x'] },
    })
  })

  test('concurrent additions to one thread are all kept, under ids of their own', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, i) => add([{ from: bob, commentText: `${i}` }])))
    const { comments } = await review.read('t')
    expect(new Set(comments.map((comment) => comment.commentId)).size).toBe(9)
    expect(await review.types()).toHaveLength(8)
  })
})

describe('comments/get', () => {
  test('answers all comments, those of users, or those asked for with null for unknown ids', async () => {
    await add([{ from: bob, commentId: 2, commentText: 'Two' }])
    const ids = async (more: object, place = {}) =>
      (await review.ok('comments/get', { annotationId: 't', ...more, ...place })).map(
        (comment: { commentId: number } | null) => comment?.commentId ?? null,
      )
    expect(await ids({})).toEqual([1, 2])
    expect(await ids({ userIds: ['bob'] })).toEqual([2])
    expect(await ids({ commentIds: [2, 9, 1] })).toEqual([2, null, 1])
    expect(await ids({ commentIds: [] })).toEqual([])
    expect(await ids({}, { annotationId: 'x' })).toEqual([])
    expect(await ids({}, { documentId: 'x' })).toEqual([])
    expect(await ids({}, { organizationId: 'x' })).toEqual([])
  })
})

describe('comments/update', () => {
  test('changes what the request mentions, per comment id, and emits comment.update', async () => {
    const updatedData = { commentText: 'Better, {{bob}}', taggedUserContacts: [{ userId: 'bob', contact: bob }] }
    const result = await review.ok('comments/update', {
      annotationId: 't',
      commentIds: [1, 7],
      updatedData,
      actionUser: bob,
    })
    expect(result).toEqual({
      1: { success: true, id: 1, message: 'Updated successfully' },
      7: { success: false, id: 7, message: 'Not found' },
    })
    const { comments, lastUpdated, createdAt, mentionedUserIds } = await review.read('t')
    expect(comments[0]).toMatchObject({ commentText: 'Better, {{bob}}', status: 'updated', isEdited: true, from: ada })
    expect(lastUpdated).toBeGreaterThanOrEqual(createdAt)
    expect(mentionedUserIds).toEqual(['bob'])
    const [event, ...more] = await review.events()
    expect(more).toEqual([])
    expect(event?.type).toBe('comment.update')
    expect(event?.basic).toMatchObject({ actionType: 'updated', actionUser: bob, targetComment: { commentId: 1 } })
    expect(event?.processed.toContactsTagged).toMatchObject([{ userId: 'bob' }])
  })

  test('a comment that an update leaves as it was is not edited', async () => {
    const before = await review.ok('comments/get', { annotationId: 't' })
    for (const updatedData of [{ commentText: 'First' }, { commentText: 'First', unknown: 1 }]) {
      const data = await review.ok('comments/update', { annotationId: 't', commentIds: [1], updatedData })
      expect(data).toEqual({ 1: { success: true, id: 1, message: 'Updated successfully' } })
    }
    expect(await review.ok('comments/get', { annotationId: 't' })).toEqual(before)
    expect(await review.types()).toEqual([])
  })

  test('an updatedData without a field that can be changed is INVALID_ARGUMENT', async () => {
    for (const updatedData of [{}, { unknown: 1 }]) {
      const { body } = await review.call('comments/update', { annotationId: 't', commentIds: [1], updatedData })
      expect(body.error.details.issues[0].path).toBe('updatedData')
    }
  })

  test('attachments sent again without their ids are the same ones: the comment is not edited', async () => {
    const picture = { name: 'a.png', url: 'https://example.com/a.png', size: 7, metadata: { tags: ['x', { y: null }] } }
    const sent = [picture, picture, { attachmentId: 7, name: 'b.png' }]
    await add([{ from: bob, commentId: 2, commentText: 'Two', attachments: sent }], { triggerNotification: false })
    await review.ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
    const read = async () => (await review.read('t')).comments[1]
    const before = await read()
    assert(before)
    const update = (attachments: object[]) =>
      review.ok('comments/update', { annotationId: 't', commentIds: [2], updatedData: { attachments } })
    for (const attachments of [sent, before.attachments]) await update(attachments)
    expect(await read()).toEqual(before)
    expect(await review.types()).toEqual([])
    expect((await review.ws.ok('/v2/activities/get', { organizationId: 'acme' })).data).toEqual([])

    const [first, second] = before.attachments
    await update([{ ...first, name: 'c.png' }, picture, picture])
    expect(await read()).toMatchObject({
      isEdited: true,
      attachments: [{ ...first, name: 'c.png' }, second, { ...picture, attachmentId: expect.any(Number) }],
    })
    expect(new Set((await read())?.attachments.map(({ attachmentId = 0 }) => attachmentId)).size).toBe(3)
    expect(await review.types()).toEqual(['comment.update'])
  })

  test('an unknown annotation is NOT_FOUND; triggerNotification: false is silent', async () => {
    const updatedData = { commentText: 'x' }
    expect((await review.call('comments/update', { annotationId: 'x', commentIds: [1], updatedData })).status).toBe(404)
    await review.ok('comments/update', { annotationId: 't', commentIds: [1], updatedData, triggerNotification: false })
    expect(await review.types()).toEqual([])
  })
})

describe('comments/delete', () => {
  test('deletes those asked for, each one comment.delete; unknown ids and places are success: false', async () => {
    await add([{ from: bob, commentId: 2, commentText: 'Two' }], { triggerNotification: false })
    const gone = await review.ok('comments/delete', { annotationId: 't', commentIds: [2, 9] })
    expect(gone).toEqual({
      2: { success: true, id: 2, message: 'Deleted successfully' },
      9: { success: false, id: 9, message: 'Not found' },
    })
    const [event, ...more] = await review.events()
    expect(more).toEqual([])
    expect(event?.type).toBe('comment.delete')
    expect(event?.advanced.data).toMatchObject({
      targetComment: { commentText: 'Two' },
      commentAnnotation: { commentsCount: 1 },
    })
    expect((await review.read('t')).involvedUserIds).toEqual(['ada'])
    const nowhere = { annotationId: 't', documentId: 'x', commentIds: [1] }
    expect(await review.ok('comments/delete', nowhere)).toMatchObject({ 1: { success: false } })
  })

  test('without commentIds all go, with an empty list none', async () => {
    expect(await review.ok('comments/delete', { annotationId: 't', commentIds: [] })).toEqual({})
    expect(Object.keys(await review.ok('comments/delete', { annotationId: 't' }))).toEqual(['1'])
  })
})

describe('commentannotations/delete', () => {
  test('deletes threads with everything in them; one comment.delete each, without a target comment', async () => {
    const gone = await review.ok('delete', { annotationIds: ['t', 'x'] })
    expect(gone).toEqual({
      t: { success: true, id: 't', message: 'Deleted Successfully' },
      x: { success: false, id: 'x', message: 'Annotation not found.' },
    })
    const [event, ...more] = await review.events()
    expect(more).toEqual([])
    expect([event?.type, event?.basic.actionType]).toEqual(['comment.delete', 'deleted'])
    expect(event?.advanced.data.targetComment).toBeUndefined()
    expect(event?.processed.commentText).toBe('')
    expect(await review.ok('comments/get', { annotationId: 't' })).toEqual([])
  })

  test('filters are combined: locations, users, agents and their pages', async () => {
    const agent = { agentId: 'a', url: 'https://example.com/1' }
    await review.thread('a1', {}, { agent })
    await review.thread('a2', {}, { agent: { ...agent, url: 'https://example.com/2' } })
    await review.thread('l', { location: { id: 5 } }, { from: bob })
    const gone = async (filter: object) => Object.keys(await review.ok('delete', filter))
    expect(await gone({ locationIds: [5], userIds: ['ada'] })).toEqual([])
    expect(await gone({ agentId: 'a', agentUrls: ['https://example.com/2'] })).toEqual(['a2'])
    expect(await gone({ agentId: 'a' })).toEqual(['a1'])
    expect(await gone({ locationIds: [5], userIds: ['bob'] })).toEqual(['l'])
    expect(await gone({ annotationIds: [] })).toEqual([])
    expect(await gone({})).toEqual(['t'])
  })

  test('what does not exist is success: false', async () => {
    const gone = await review.ok('delete', { organizationId: 'nowhere', annotationIds: ['t'] })
    expect(gone.t?.success).toBe(false)
    expect(await review.read('t')).toMatchObject({ annotationId: 't' })
  })
})

describe('the place of a thread', () => {
  test('threads go with their document', async () => {
    await review.ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
    expect(await review.ok('get')).toEqual([])
  })

  test('threads go with the data of their location and move with it', async () => {
    const { 'x-service-api-key': apiKey, 'x-service-auth-token': authToken } = review.ws.keyHeaders as Record<
      string,
      string
    >
    await review.thread('here', { location: { id: 'a', locationName: 'A', note: 1 } })
    const documents = '/v1/organizations/documents/locations'
    const migrate = { oldLocation: { id: 'a' }, newLocation: { id: 'b', locationName: 'B' } }
    await review.ws.ok(`${documents}/update`, { apiKey, authToken, documentId: 'plan', migrate, merge: true })
    const moved = await review.ok('get', { locationIds: ['b'] })
    expect(moved).toMatchObject([{ annotationId: 'here', location: { id: 'b', locationName: 'B', note: 1 } }])
    await review.ws.ok(`${documents}/data/delete`, { apiKey, authToken, documentId: 'plan', location: { id: 'b' } })
    expect((await review.threads()).map((thread) => thread?.annotationId)).toEqual(['t'])
  })
})

test('an attachment without an id gets one', async () => {
  const own = await newReview(service)
  await own.thread('t', {}, { attachments: [{ name: 'a.png' }, { attachmentId: 7, name: 'b.png' }] })
  const attachments = (await own.read('t')).comments[0]?.attachments
  expect(attachments).toEqual([
    { attachmentId: expect.any(Number), name: 'a.png' },
    { attachmentId: 7, name: 'b.png' },
  ])
})
