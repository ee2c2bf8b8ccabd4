import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ada, bob, newReview, type Review } from '../../../test/review.ts'
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

const eve = { userId: 'eve', name: 'Eve' }
const swap = (newUserId: string) =>
  review.ok('update', {
    annotationIds: ['t'],
    updateUsers: [{ oldUser: { userId: 'bob' }, newUser: { userId: newUserId, name: 'Eve' } }],
  })

test('updateUsers renames {{id}} in the text too', async () => {
  await review.ok('comments/add', {
    annotationId: 't',
    commentData: [
      {
        from: ada,
        commentId: 2,
        commentText: 'Ask {{bob}}, not {{bobby}}',
        commentHtml: '<b>{{bob}}</b>',
        taggedUserContacts: [{ userId: 'bob', text: '{{bob}}', contact: bob }],
      },
    ],
  })
  await swap('eve')
  const [, comment] = (await review.read('t')).comments
  expect(comment).toMatchObject({
    commentText: 'Ask {{eve}}, not {{bobby}}',
    commentHtml: '<b>{{eve}}</b>',
    taggedUserContacts: [{ userId: 'eve', text: '{{eve}}', contact: eve }],
  })
})

test('updateUsers that makes a comment larger than a record may be fails for that thread, and changes nothing', async () => {
  await review.ok('comments/add', {
    annotationId: 't',
    commentData: [{ from: ada, commentId: 2, commentText: '{{bob}}'.repeat(2_000) }],
  })
  expect(await swap('e'.repeat(256))).toMatchObject({ t: { success: false } })
  expect((await review.read('t')).comments[1]?.commentText).toBe('{{bob}}'.repeat(2_000))
})

test('a new commentText without commentHtml clears the old commentHtml', async () => {
  const change = (updatedData: object) =>
    review.ok('comments/update', { annotationId: 't', commentIds: [1], updatedData })
  await change({ commentText: 'One', commentHtml: '<p>One</p>' })
  await change({ commentText: 'One', context: { a: 1 } })
  expect((await review.read('t')).comments[0]?.commentHtml).toBe('<p>One</p>')
  await change({ commentText: 'Two' })
  expect((await review.read('t')).comments[0]).not.toHaveProperty('commentHtml')
})

test('a status of a type alone means the default status of that type', async () => {
  await review.ok('update', { annotationIds: ['t'], updatedData: { status: { type: 'terminal' } } })
  expect((await review.read('t')).status).toMatchObject({ id: 'RESOLVED', name: 'Resolved', type: 'terminal' })
  await review.ok('update', { annotationIds: ['t'], updatedData: { status: { type: 'ongoing' } } })
  expect((await review.read('t')).status).toMatchObject({ id: 'IN_PROGRESS', type: 'ongoing' })
  await review.thread('new', { status: { type: 'default' } })
  expect((await review.read('new')).status).toMatchObject({ id: 'OPEN', type: 'default' })
  const { body } = await review.call('update', { annotationIds: ['t'], updatedData: { status: { name: 'No' } } })
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: expect.stringContaining('status.id') })
})

test('payloads to the processed URL name organization, document and thread as the raw payload does', async () => {
  await review.ok('comments/add', { annotationId: 't', commentData: [{ from: ada, commentText: 'Hi' }] })
  const [event] = await review.events()
  expect(event?.processed).toMatchObject({
    metadata: { organizationId: 'acme', documentId: 'plan' },
    commentAnnotation: { annotationId: 't' },
    clientDocumentId: 'plan',
    targetAnnotationId: 't',
  })
})
