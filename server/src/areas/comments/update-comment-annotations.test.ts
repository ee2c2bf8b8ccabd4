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

const update = (updatedData: object, more: object = {}) =>
  review.ok('update', { annotationIds: ['t'], updatedData, ...more })

describe('commentannotations/update', () => {
  test('answers per annotation id; an unknown one is success: false', async () => {
    expect(await update({ context: { a: 1 } }, { annotationIds: ['t', 'x'] })).toEqual({
      t: { success: true, id: 't', message: 'Annotations updated successfully' },
      x: { success: false, id: 'x', message: 'Annotation not found.' },
    })
  })

  test('an unknown organization or document is NOT_FOUND, an update of nothing INVALID_ARGUMENT', async () => {
    expect((await review.call('update', { documentId: 'x', updatedData: { context: {} } })).status).toBe(404)
    expect((await review.call('update', { organizationId: 'x', updatedData: { context: {} } })).status).toBe(404)
    expect((await review.call('update', { annotationIds: ['t'] })).body.error.status).toBe('INVALID_ARGUMENT')
  })

  test('an updatedData without a field that can be changed is INVALID_ARGUMENT', async () => {
    for (const updatedData of [{}, { unknown: 1 }]) {
      const { status, body } = await review.call('update', { annotationIds: ['t'], updatedData })
      expect([status, body.error.details.issues[0].path]).toEqual([400, 'updatedData'])
    }
  })

  test('null clears the assignee, the priority, the context and what the thread points at', async () => {
    await update({
      assignedTo: bob,
      priority: { id: 'P1', name: 'High' },
      context: { a: 1 },
      targetElement: { elementId: 'e' },
      pageInfo: { url: 'https://example.com' },
    })
    expect(await review.read('t')).toMatchObject({ assignedTo: { userId: 'bob' }, priority: { id: 'P1' } })
    const cleared = { assignedTo: null, priority: null, context: null, targetElement: null, pageInfo: null }
    await update(cleared)
    const after = await review.read('t')
    for (const field of Object.keys(cleared)) expect(after).not.toHaveProperty(field)
  })

  test('an update that changes nothing leaves the thread as it was', async () => {
    const before = await review.read('t')
    await update({ status: before.status, unknown: 1 })
    await review.ws.ok('/v2/commentannotations/update', {
      organizationId: 'acme',
      documentId: 'plan',
      updateUsers: [{ oldUser: { userId: 'nobody' }, newUser: { userId: 'bob' } }],
    })
    expect(await review.read('t')).toEqual(before)
    expect(await review.types()).toEqual([])
  })

  test('the author is always among those who see a restricted thread, also one who takes the place of another', async () => {
    await review.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
    await review.thread('r', { visibility: { type: 'restricted' } })
    await update({ from: bob }, { annotationIds: ['r'] })
    expect((await review.read('r')).visibilityConfig.userIds).toContain('bob')
    const { data } = await review.ws.ok('/v2/commentannotations/count/get', {
      organizationId: 'acme',
      documentIds: ['plan'],
      userId: 'bob',
    })
    expect(data.plan?.total).toBe(2)
  })

  test('a change of status is one comment_annotation.status_change with the old and the new status', async () => {
    await update({ status: { id: 'RESOLVED' } }, { actionUser: bob })
    const [event, ...more] = await review.events()
    expect(more).toEqual([])
    expect(event?.type).toBe('comment_annotation.status_change')
    expect(event?.advanced.data).toMatchObject({
      actionUser: bob,
      oldStatus: { id: 'OPEN', type: 'default' },
      newStatus: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' },
    })
    expect(event?.advanced.data.targetComment).toBeUndefined()
    expect(event?.basic).toMatchObject({ actionType: 'statusChanged', oldStatus: { id: 'OPEN' } })
    expect(await review.read('t')).toMatchObject({
      status: { id: 'RESOLVED' },
      statusUpdatedByUserId: 'bob',
      resolvedByUserId: 'bob',
      resolvedByUser: bob,
    })
  })

  test('the same status again is no change', async () => {
    await update({ status: { id: 'OPEN' } })
    expect(await review.types()).toEqual([])
  })

  test('the same status with another type is a change of status', async () => {
    await update({ status: { id: 'done' } })
    await update({ status: { id: 'done', type: 'terminal' } }, { actionUser: bob })
    expect(await review.types()).toEqual(['comment_annotation.status_change', 'comment_annotation.status_change'])
    expect((await review.events()).at(-1)?.advanced.data).toMatchObject({
      oldStatus: { id: 'done', type: 'default' },
      newStatus: { id: 'done', type: 'terminal' },
    })
  })

  test('a status that is not terminal clears who resolved the thread', async () => {
    await update({ status: { id: 'RESOLVED' }, resolvedByUserId: 'ada' })
    expect((await review.read('t')).resolvedByUserId).toBe('ada')
    await update({ status: { id: 'IN_PROGRESS' } })
    const { resolvedByUserId, resolvedByUser, status } = await review.read('t')
    expect([resolvedByUserId, resolvedByUser, status.type]).toEqual([undefined, undefined, 'ongoing'])
  })

  test('a status of your own is kept as sent', async () => {
    const status = { id: 'triage', name: 'Triage', type: 'ongoing', color: '#123456' }
    await update({ status })
    expect((await review.read('t')).status).toEqual(status)
  })

  test('priority, assignment, custom list each emit their event, once', async () => {
    const changes = { priority: { id: 'P0', name: 'High' }, assignedTo: bob, customList: [{ id: 'a', label: 'A' }] }
    await update(changes)
    await update(changes)
    const events = await review.events()
    expect(events.map(({ type }) => type).sort()).toEqual([
      'comment_annotation.assign',
      'comment_annotation.custom_list_change',
      'comment_annotation.priority_change',
    ])
    const of = (type: string) => events.find((event) => event.type === `comment_annotation.${type}`)
    expect(of('priority_change')?.advanced.data.newPriority).toEqual({ id: 'P0', name: 'High' })
    expect(of('assign')?.basic).toMatchObject({ actionType: 'assigned', assigned: true })
    const { assignedTo, subscribedUsers } = await review.read('t')
    expect(assignedTo).toMatchObject(bob)
    expect(Object.values(subscribedUsers)).toContainEqual({ user: expect.objectContaining(bob), type: 'auto' })
  })

  test.each([
    ['accepted', 'comment_annotation.suggestion_accept', 'suggestionAccepted'],
    ['rejected', 'comment_annotation.suggestion_reject', 'suggestionRejected'],
  ])('a suggestion goes from pending to %s and emits %s', async (status, type, actionType) => {
    const suggestion = { targetId: 'cell', oldValue: 1, newValue: 2 }
    await review.thread('s', { suggestion: { ...suggestion, status: 'accepted' } })
    expect(await review.read('s')).toMatchObject({ type: 'suggestion', suggestion: { status: 'pending', newValue: 2 } })
    await update({ suggestion: { ...suggestion, status } }, { annotationIds: ['s'], actionUser: bob })
    const [event] = await review.events()
    expect([event?.type, event?.basic.actionType]).toEqual([type, actionType])
    expect((await review.read('s')).suggestion).toMatchObject({
      status,
      resolvedBy: bob,
      resolvedAt: expect.any(Number),
    })
    await update({ suggestion: { ...suggestion, status } }, { annotationIds: ['s'], actionUser: bob })
    expect(await review.types()).toEqual([type])
  })

  test('who decided a suggestion is who acted, where the caller names nobody else', async () => {
    await review.ws.ok('/v2/users/add', { organizationId: 'acme', users: [bob] })
    for (const resolvedBy of [{ userId: 'bob' }, { userId: '' }, { userId: 'bob', name: 5 }, null]) {
      await review.thread('s', { suggestion: { newValue: 2 } })
      await update({ suggestion: { status: 'accepted', resolvedBy } }, { annotationIds: ['s'] })
      await review.ok('delete', { annotationIds: ['s'], triggerNotification: false })
    }
    const actors = (await review.events()).map(({ basic }) => basic.actionUser?.name)
    expect(actors).toEqual(['Bob', undefined, undefined, undefined])
  })

  test('only a suggestion is accepted or rejected: a comment stays as it is, and no decision is told of it', async () => {
    await review.thread('s', { type: 'suggestion' })
    const before = await review.read('t')
    expect(await update({ suggestion: { status: 'accepted' } }, { annotationIds: undefined })).toEqual({
      s: { success: true, id: 's', message: 'Annotations updated successfully' },
      t: { success: false, id: 't', message: 'Annotation is no suggestion.' },
    })
    expect(await review.read('t')).toEqual(before)
    expect(await review.types()).toEqual(['comment_annotation.suggestion_accept'])
    await update({ suggestion: { newValue: 1 } })
    expect((await review.read('t')).suggestion).toMatchObject({ status: 'pending', newValue: 1 })
    expect((await update({ suggestion: { status: 'rejected' } })).t?.success).toBe(true)
  })

  test('an update accepts only pending, accepted and rejected of a suggestion', async () => {
    const { body } = await review.call('update', { updatedData: { suggestion: { status: 'stale' } } })
    expect(body.error.message).toBe('updatedData.suggestion.status must be one of pending, accepted, rejected')
  })

  test('users subscribe and unsubscribe, each announced when it changes anything; taking part does not undo it', async () => {
    await review.ok('update', { annotationIds: ['t'], subscribeUsers: [bob] })
    await review.ok('update', { annotationIds: ['t'], subscribeUsers: [bob] })
    await review.ok('update', { annotationIds: ['t'], unsubscribeUsers: [bob] })
    const events = await review.events()
    expect(events.map(({ type }) => type)).toEqual(['comment_annotation.subscribe', 'comment_annotation.unsubscribe'])
    expect(events[0]?.advanced.data.actionUser).toMatchObject(bob)
    await review.ok('comments/add', { annotationId: 't', commentData: [{ from: bob, commentText: 'x' }] })
    const { subscribedUsers, unsubscribedUsers } = await review.read('t')
    const users = (map: object) => Object.values(map).map(({ user }) => user.userId)
    expect([users(subscribedUsers), users(unsubscribedUsers)]).toEqual([['ada'], ['bob']])
  })

  test('the steps of one update are announced in the order in which the activity log has them', async () => {
    const updatedData = { assignedTo: bob, status: { id: 'RESOLVED' }, priority: { id: 'high', name: 'High' } }
    await review.ok('update', { annotationIds: ['t'], subscribeUsers: [{ userId: 'carol' }], updatedData })
    expect(await review.types()).toEqual([
      'comment_annotation.status_change',
      'comment_annotation.assign',
      'comment_annotation.priority_change',
      'comment_annotation.subscribe',
    ])
  })

  test('a user who was removed from the organization is not subscribed, and nothing tells it', async () => {
    await review.ws.ok('/v2/users/add', { organizationId: at.organizationId, users: [bob] })
    await review.ws.ok('/v2/users/delete', { organizationId: at.organizationId, userIds: [bob.userId] })
    await review.ok('update', { annotationIds: ['t'], subscribeUsers: [bob] })
    expect(await review.types()).toEqual([])
    expect(Object.keys((await review.read('t')).subscribedUsers)).toHaveLength(1)
  })

  test('triggerNotification: false silences an update', async () => {
    await update({ status: { id: 'RESOLVED' } }, { triggerNotification: false })
    expect(await review.types()).toEqual([])
  })

  test('updateUsers puts a user in place of another wherever the threads name it', async () => {
    await review.thread('u', { assignedTo: ada }, { taggedUserContacts: [{ userId: 'ada', contact: ada }] })
    await review.ok('update', { annotationIds: ['u'], updateUsers: [{ oldUser: { userId: 'ada' }, newUser: bob }] })
    const thread = await review.read('u')
    expect(JSON.stringify(thread)).not.toContain('"ada"')
    expect(thread).toMatchObject({ from: bob, assignedTo: bob, involvedUserIds: ['bob'], mentionedUserIds: ['bob'] })
  })

  test('filters are combined: locations, starters, ids', async () => {
    await review.thread('l1', { location: { id: 'here' } })
    await review.thread('l2', { location: { id: 'here' } }, { from: bob })
    const changed = await review.ok('update', { locationIds: ['here'], userIds: ['bob'], updatedData: { context: {} } })
    expect(Object.keys(changed)).toEqual(['l2'])
    const all = await review.ok('update', { updatedData: { context: {} } })
    expect(Object.keys(all).sort()).toEqual(['l1', 'l2', 't'])
    expect(await review.ok('update', { annotationIds: [], updatedData: { context: {} } })).toEqual({})
  })

  test('visibility is changed only when private comments are enabled', async () => {
    const visibility = { type: 'restricted', userIds: ['bob'] }
    const refused = await review.call('update', { annotationIds: ['t'], updatedData: { visibility } })
    expect([refused.status, refused.body.error.status]).toEqual([400, 'FAILED_PRECONDITION'])
    await review.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
    await update({ visibility })
    expect((await review.read('t')).visibilityConfig).toEqual({ type: 'restricted', userIds: ['ada', 'bob'] })
    const [event] = await review.events()
    expect([await review.types(), event?.basic.actionType]).toEqual([
      ['comment_annotation.access_mode_change'],
      'accessModeChanged',
    ])
  })
})
