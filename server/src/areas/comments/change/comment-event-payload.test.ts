import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ada, at, bob, newReview, type Review } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import type { Comment } from '../comment/comment.ts'
import type { Place } from '../thread/place.ts'
import type { Thread } from '../thread/thread.ts'
import { changeBuilder } from './change.ts'
import { payloadBuilder } from './comment-event-payload.ts'

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
})

test('toContactsTagged are the users tagged in the target comment, whatever becomes of it', async () => {
  await review.thread('t')
  const tagging = { from: ada, commentId: 2, taggedUserContacts: [{ userId: 'bob', contact: bob }] }
  await review.ok('comments/add', { annotationId: 't', commentData: [tagging] })
  await review.ok('comments/update', { annotationId: 't', commentIds: [2], updatedData: { commentText: 'Two' } })
  const reactions = [{ icon: 'X', from: ada, reactionId: 'x' }]
  await review.ws.ok('/v2/reactions/add', { ...at, annotationId: 't', commentId: 2, reactions })
  await review.ok('comments/delete', { annotationId: 't', commentIds: [2] })
  await review.ok('delete', { annotationIds: ['t'] })
  const events = await review.events()
  const tagged = events.map(({ type, basic, processed }) => [
    `${type} of ${basic.targetComment?.commentId}`,
    processed.toContactsTagged.map(({ userId }) => userId),
  ])
  expect(tagged).toEqual([
    ['comment.add of 2', ['bob']],
    ['comment.update of 2', ['bob']],
    ['comment.reaction_add of 2', ['bob']],
    ['comment.delete of 2', ['bob']],
    ['comment.delete of undefined', []],
  ])
})

test('accessDeniedUsers are the users denied by visibility, those who merely subscribed too', async () => {
  await review.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await review.thread('t', { visibility: { type: 'restricted', userIds: ['cyd'] }, assignedTo: bob })
  await review.ok('update', { annotationIds: ['t'], subscribeUsers: [{ userId: 'cyd' }, { userId: 'dan' }] })
  const events = await review.events()
  expect(events.map(({ type }) => type)).toEqual(Array(2).fill('comment_annotation.subscribe'))
  for (const { basic } of events) expect(basic).toMatchObject({ accessDeniedUsers: ['bob', 'dan'] })
})

test('a thread that is private to the organization is told as for its users and its author, none else', async () => {
  const cyd = { userId: 'cyd', name: 'Cyd' }
  await review.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await review.ws.ok('/v2/users/add', { organizationId: at.organizationId, users: [bob] })
  await review.ws.ok('/v2/users/add', { ...at, users: [ada, cyd] })
  await review.thread('t', { visibility: { type: 'organizationPrivate' } })
  const tagging = { commentId: 2, taggedUserContacts: [bob, cyd].map(({ userId }) => ({ userId })) }
  await review.ok('comments/add', { annotationId: 't', commentData: [{ from: bob, ...tagging }] })
  await review.ok('delete', { annotationIds: ['t'] })
  const told = (await review.events()).map(({ type, basic, processed }) => ({
    type,
    denied: (basic as { accessDeniedUsers?: string[] }).accessDeniedUsers,
    told: [...processed.toContactsTagged, ...processed.toContactsUpdated].map(({ userId }) => userId).sort(),
  }))
  expect(told).toEqual([
    { type: 'comment.add', denied: ['cyd'], told: ['ada', 'bob'] },
    { type: 'comment.delete', denied: ['cyd'], told: ['ada', 'bob'] },
  ])
})

test('a thread whose context takes access fields is told as for those who hold every one of them', async () => {
  const [cyd, dan] = [{ userId: 'cyd' }, { userId: 'dan' }]
  const { organizationId } = at
  const withFields = (user: { userId: string }, ...accessFields: string[]) => ({ ...user, accessFields })
  const users = [withFields(ada, 'team:x', 'floor:1'), withFields(bob, 'team:x'), cyd]
  await review.ws.ok('/v2/users/add', { organizationId, users })
  await review.ws.ok('/v2/users/add', { ...at, users: [withFields(dan, 'team:x', 'floor:1')] })
  await review.thread('t', { context: { access: { team: 'x', floor: 1 } } })
  const tagging = { commentId: 2, taggedUserContacts: [bob, cyd, dan].map(({ userId }) => ({ userId })) }
  await review.ok('comments/add', { annotationId: 't', commentData: [{ from: cyd, ...tagging }] })
  await review.ok('update', { annotationIds: ['t'], updatedData: { context: null, priority: { id: 'p0' } } })
  const told = (await review.events()).map(({ basic, processed }) => ({
    denied: (basic as { accessDeniedUsers?: string[] }).accessDeniedUsers?.sort(),
    told: [...processed.toContactsTagged, ...processed.toContactsUpdated].map(({ userId }) => userId).sort(),
  }))
  expect(told).toEqual([
    { denied: ['bob', 'cyd'], told: ['ada', 'dan'] },
    { denied: undefined, told: ['ada', 'cyd'] },
  ])
})

test('a user who was removed from the organization is told of nothing and subscribed to nothing', async () => {
  const cyd = { userId: 'cyd', name: 'Cyd' }
  const { organizationId } = at
  await review.ws.ok('/v2/users/add', { organizationId, users: [ada, bob, cyd] })
  await review.thread('t')
  await review.ok('comments/add', { annotationId: 't', triggerNotification: false, commentData: [{ from: bob }] })
  await review.ws.ok('/v2/users/delete', { organizationId, userIds: ['bob', 'cyd'] })
  const tagging = { from: ada, commentId: 3, taggedUserContacts: [{ userId: 'cyd' }] }
  await review.ok('comments/add', { annotationId: 't', commentData: [tagging] })
  await review.ws.ok('/v2/users/add', { ...at, users: [cyd] })
  await review.ok('comments/update', { annotationId: 't', commentIds: [3], updatedData: { commentText: 'Three' } })
  await review.ws.ok('/v2/users/add', { organizationId, users: [bob] })
  await review.ok('comments/delete', { annotationId: 't', commentIds: [3] })
  const events = (await review.events()).map(({ type, advanced, basic, processed }) => ({
    type,
    denied: (basic as { accessDeniedUsers?: string[] }).accessDeniedUsers ?? [],
    told: [...processed.toContactsTagged, ...processed.toContactsUpdated].map(({ userId }) => userId).sort(),
    subscribed: Object.values(advanced.data.commentAnnotation.subscribedUsers).map(({ user }) => user.userId),
  }))
  expect(events).toEqual([
    { type: 'comment.add', denied: expect.arrayContaining(['bob', 'cyd']), told: [], subscribed: ['ada'] },
    { type: 'comment.update', denied: ['bob'], told: ['cyd'], subscribed: ['ada'] },
    {
      type: 'comment.delete',
      denied: [],
      told: ['ada', 'bob', 'cyd'],
      subscribed: expect.arrayContaining(['ada', 'bob']),
    },
  ])
})

test('payloads to the processed URL name organization, document and thread as the raw payload does', async () => {
  await review.thread('t')
  await review.ok('comments/add', { annotationId: 't', commentData: [{ from: ada, commentText: 'Hi' }] })
  const [event] = await review.events()
  expect(event?.processed).toMatchObject({
    metadata: { organizationId: 'acme', documentId: 'plan' },
    commentAnnotation: { annotationId: 't' },
    clientDocumentId: 'plan',
    targetAnnotationId: 't',
  })
})

test('the basic payload says assigned where somebody is assigned, and not where an assignee was taken back', async () => {
  await review.thread('t')
  for (const assignedTo of [bob, null]) await review.ok('update', { annotationIds: ['t'], updatedData: { assignedTo } })
  const events = await review.events()
  expect(events.map(({ type }) => type)).toEqual(Array(2).fill('comment_annotation.assign'))
  expect(events.map(({ basic }) => (basic as { assigned?: true }).assigned)).toEqual([true, undefined])
})

const place = { ...at, organizationMetadata: {}, documentMetadata: {} } as unknown as Place
const threadOf = (comment: object) =>
  ({
    ...{ key: 'k', id: 't', createdAt: 0, updatedAt: 0, participants: [], reactionIds: [] },
    record: { from: ada, status: { id: 'OPEN' }, visibilityConfig: { type: 'public' } },
    comments: [comment],
  }) as unknown as Thread

test('what is left of a thread and a comment names its status and its author, however little it is', () => {
  const thread = threadOf({ commentId: 1, from: bob, to: [], commentText: 'x', reactionAnnotationIds: [] })
  const details = { actor: null, comment: thread.comments[0] as Comment }
  const { payload } = payloadBuilder('key', 10)
  const change = changeBuilder(place, 'key', {})
  const told = payload('comment.update', change(thread, 'comment.update', details))
  expect(told.basic.commentAnnotation).not.toHaveProperty('status.id')
  expect(told.basic.targetComment).toMatchObject({ commentId: 1, isAbridged: true })
  expect(told.processed).toMatchObject({
    status: 'OPEN',
    from: { userId: 'bob' },
    commentText: '',
    commentTextFrom: { userId: 'bob' },
  })
})

test('a large comment is abridged once for all of its reactions', () => {
  const thread = threadOf({
    ...{ commentId: 1, from: ada, to: [], reactionAnnotationIds: [] },
    commentText: 'x'.repeat(10_000),
  })
  const change = changeBuilder(place, 'key', {})
  const { payload } = payloadBuilder('key', 1_000)
  const [first, second] = ['a', 'b'].map((id) => {
    const details = {
      actor: null,
      comment: thread.comments[0] as Comment,
      reaction: { id, icon: 'x', from: { ...bob, initial: 'B' } },
    }
    return payload('comment.reaction_add', change(thread, 'comment.reaction_add', details)).basic
  })
  expect(first?.targetComment).toMatchObject({ commentId: 1, isAbridged: true })
  expect(second?.targetComment).toBe(first?.targetComment)
})

test('the statuses, the priority and the visibility of a change are abridged as its thread is', () => {
  const thread = threadOf({ commentId: 1, from: ada, to: [], reactionAnnotationIds: [] })
  const large = (id: string) => ({ id, name: id, type: 'ongoing' as const, svg: 'x'.repeat(10_000) })
  const userIds = Array.from({ length: 1_000 }, (_, n) => `user ${n}`)
  const details = { actor: null, oldStatus: large('a'), newStatus: large('b'), newPriority: large('c') }
  const restricted = {
    ...thread,
    record: { ...thread.record, visibilityConfig: { type: 'restricted' as const, userIds } },
  }
  const made = changeBuilder(place, 'key', {})(restricted, 'comment_annotation.status_change', details)
  const { advanced, basic, processed } = payloadBuilder('key', 1_000).payload('comment_annotation.status_change', made)
  for (const told of [basic, (advanced as { data: object }).data])
    expect(told).toMatchObject({
      oldStatus: { id: 'a', name: 'a', type: 'ongoing', isAbridged: true },
      newStatus: { id: 'b', name: 'b', type: 'ongoing', isAbridged: true },
      newPriority: { id: 'c', name: 'c', isAbridged: true },
      visibility: { type: 'restricted', userIds: [], isAbridged: true },
    })
  expect(JSON.stringify([advanced, basic, processed]).length).toBeLessThan(20_000)
})
