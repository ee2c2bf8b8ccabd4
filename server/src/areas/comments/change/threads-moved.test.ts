import { beforeAll, beforeEach, expect, test } from 'vitest'
import { at, bob, newReview, type Review } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'

const [here, there] = [{ id: 'here', floor: 1 }, { id: 'there' }]
const { organizationId } = at

let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await fill('t', here)
})

/** Adds a thread with a mention, a decision and a reaction, and a reaction at a place of its own. */
async function fill(annotationId: string, location?: object) {
  const commentData = [{ from: { userId: 'ada' }, commentText: 'Hi', taggedUserContacts: [{ userId: 'bob' }] }]
  const status = { id: 'RESOLVED' }
  await review.ok('add', { commentAnnotations: [{ annotationId, commentData, status, ...(location && { location }) }] })
  const to = { ...at, annotationId }
  await review.ws.ok('/v2/reactions/add', { ...to, reactions: [{ reactionId: annotationId, icon: 'A', from: bob }] })
  const elsewhere = {
    reactions: [{ reactionId: `${annotationId} away`, icon: 'A', from: bob }],
    location: { id: 'away' },
  }
  await review.ws.ok('/v2/reactions/add', { ...to, ...elsewhere, triggerNotification: false })
}

const move = (annotationId: string, location: object | null) =>
  review.ok('update', { annotationIds: [annotationId], updatedData: { location } })
const deleteAt = (location: object) =>
  review.ws.ok('/v1/organizations/documents/locations/data/delete', {
    apiKey: review.ws.apiKey,
    authToken: review.ws.keyHeaders['x-service-auth-token'],
    documentId: at.documentId,
    location,
  })
const reactions = async () => (await review.ws.ok('/v2/reactions/get', { organizationId })).data
const notifications = async () => (await review.ws.ok('/v2/notifications/get', { organizationId })).data
const left = async () => [
  (await review.threads()).map((thread) => thread?.annotationId),
  (await reactions()).map(({ annotationId }) => annotationId),
  (await notifications()).map(({ targetAnnotationId }) => targetAnnotationId),
  (await review.ws.ok('/v2/memory/judgments/query', { organizationId })).results.length,
]

test('the data of the place that a thread has left is deleted without what belongs to the thread', async () => {
  const all = await left()
  await move('t', there)
  await deleteAt(here)
  expect(await left()).toEqual(all)
  expect(all.map((each) => (Array.isArray(each) ? each.length > 0 : each))).toEqual([true, true, true, 1])
  expect((await reactions())[0]?.location).toEqual(there)
  expect((await notifications())[0]?.metadata?.location).toEqual(there)
})

test('a reaction at a place of its own stays there', async () => {
  await move('t', there)
  await deleteAt({ id: 'away' })
  expect((await reactions()).map(({ annotationId }) => annotationId)).toEqual(['t'])
})

test('what belongs to a thread goes with the data of its new place', async () => {
  await move('t', there)
  await deleteAt(there)
  expect(await left()).toEqual([[], [], [], 0])
})

test('null takes thread, reactions, notifications and judgments out of any place', async () => {
  const all = await left()
  await move('t', null)
  await deleteAt(here)
  expect(await left()).toEqual(all)
  expect((await reactions())[0]).not.toHaveProperty('location')
  expect((await notifications())[0]?.metadata).not.toHaveProperty('location')
})

test('a thread without a place gets one with all that belongs to it, and no other thread moves', async () => {
  await fill('u')
  await fill('v', here)
  await move('u', there)
  await deleteAt(there)
  expect((await reactions()).map(({ annotationId }) => annotationId)).toEqual(['t', 't away', 'v', 'v away'])
  await deleteAt(here)
  expect(await left()).toEqual([[], [], [], 0])
})

test('reactions do not repeat a large location in more than 32 MiB', async () => {
  const reactions = Array.from({ length: 140 }, (_, n) => ({ reactionId: `more ${n}`, icon: 'A', from: bob }))
  await review.ws.ok('/v2/reactions/add', { ...at, annotationId: 't', reactions, triggerNotification: false })
  await fill('u', here)
  const large = { id: 'there', text: 'x'.repeat(250_000) }
  const update = { annotationIds: ['t'], updatedData: { location: large } }
  const { status, body } = await review.call('update', update)
  expect([status, body.error.status, body.error.message]).toEqual([
    400,
    'FAILED_PRECONDITION',
    'The location would be repeated in more than 32 MiB; make it smaller, or update fewer annotations. Nothing was changed.',
  ])
  expect((await review.read('t')).location).toEqual(here)
  await move('u', large)
  expect((await review.read('u')).location).toEqual(large)
})
