import { beforeAll, beforeEach, expect, test } from 'vitest'
import { at, newReview, type Review } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'

const [viewer, editor, stranger] = [{ userId: 'viewer' }, { userId: 'editor' }, { userId: 'stranger' }]
const verified = (actionUser: { userId: string }) => ({ verifyUserPermissions: true, actionUser })

let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  const { organizationId, documentId } = at
  const access = { organizationId, documentIds: [documentId], accessType: 'restricted' }
  await review.ws.ok('/v2/organizations/documents/access/update', access)
  for (const [user, accessRole] of [
    [viewer, 'viewer'],
    [editor, 'editor'],
  ] as const) {
    const resources = [{ type: 'document', id: documentId, organizationId, accessRole }]
    await review.ws.ok('/v2/auth/permissions/add', { user, permissions: { resources } })
  }
  const comment = (from: { userId: string }, commentId: number) => ({ from, commentId, commentText: 'Text' })
  await review.ok('add', {
    commentAnnotations: [
      { annotationId: 'mine', commentData: [comment(viewer, 1), comment(editor, 2)] },
      { annotationId: 'theirs', commentData: [comment(editor, 1), comment(viewer, 2)] },
    ],
  })
})

const call = (path: string, data: object) => review.ws.call(`/v2/commentannotations/${path}`, { ...at, ...data })
const priority = { updatedData: { priority: { id: 'p0', name: 'P0' } } }
const own = "A viewer may change only what is the viewer's own."

test('a verified viewer changes and deletes the threads that the viewer started, an editor all', async () => {
  const update = await review.ok('update', { ...priority, ...verified(viewer) })
  expect(update).toMatchObject({ mine: { success: true }, theirs: { success: false, message: own } })
  const again = await review.ok('update', { ...priority, ...verified(editor) })
  expect(again).toMatchObject({ mine: { success: true }, theirs: { success: true } })
  const gone = await review.ok('delete', { ...verified(viewer), userIds: ['viewer', 'editor'] })
  expect(gone).toMatchObject({ mine: { success: true }, theirs: { success: false, message: own } })
  const rest = await review.ok('delete', { ...verified(editor), annotationIds: ['theirs'] })
  expect(rest).toMatchObject({ theirs: { success: true } })
})

test('a verified viewer subscribes to any thread that the viewer sees, and marks it as seen, for nobody else', async () => {
  const theirs = { annotationIds: ['theirs'], ...verified(viewer) }
  for (const marks of [
    { viewedByUserIds: ['viewer'], unsubscribeUsers: [viewer] },
    { viewedByUserIds: ['viewer'], subscribeUsers: [viewer] },
  ]) {
    expect(await review.ok('update', { ...theirs, ...marks })).toMatchObject({ theirs: { success: true } })
  }
  const threads = await review.ok('get', { annotationIds: ['theirs'] })
  expect(threads).toMatchObject([{ viewedByUserIds: expect.arrayContaining(['viewer']) }])
  for (const more of [
    { viewedByUserIds: ['viewer', 'editor'] },
    { subscribeUsers: [editor] },
    { viewedByUserIds: ['viewer'], unsubscribeUsers: [editor] },
    { viewedByUserIds: ['viewer'], ...priority },
    { viewedByUserIds: ['viewer'], updateUsers: [{ oldUser: editor, newUser: viewer }] },
  ]) {
    expect(await review.ok('update', { ...theirs, ...more })).toEqual({
      theirs: { success: false, id: 'theirs', message: own },
    })
  }
})

test('a verified viewer changes and deletes the comments that the viewer wrote, an editor all', async () => {
  const thread = { annotationId: 'theirs', commentIds: [1, 2] }
  const updatedData = { commentText: 'New' }
  const update = await review.ok('comments/update', { ...thread, updatedData, ...verified(viewer) })
  expect(update).toMatchObject({ 1: { success: false, message: own }, 2: { success: true } })
  const gone = await review.ok('comments/delete', { annotationId: 'theirs', ...verified(viewer) })
  expect(gone).toMatchObject({ 1: { success: false, message: own }, 2: { success: true } })
  const rest = await review.ok('comments/delete', { annotationId: 'theirs', ...verified(editor) })
  expect(rest).toMatchObject({ 1: { success: true } })
})

test('a verified viewer reacts, and deletes only the reactions of the viewer', async () => {
  const reactions = [
    { reactionId: 'r1', icon: '+1', from: viewer },
    { reactionId: 'r2', icon: '+1', from: editor },
  ]
  const place = { ...at, annotationId: 'theirs', commentId: 1 }
  const added = await review.ws.ok('/v2/reactions/add', { ...place, verifyUserPermissions: true, reactions })
  expect(added.data).toMatchObject({ r1: { success: true }, r2: { success: true } })
  const request = { ...at, reactionIds: ['r1', 'r2'] }
  const gone = await review.ws.ok('/v2/reactions/delete', { ...request, ...verified(viewer) })
  expect(gone.data).toMatchObject({ r1: { success: true }, r2: { success: false } })
  const rest = await review.ws.ok('/v2/reactions/delete', { ...request, ...verified(editor) })
  expect(rest.data).toMatchObject({ r2: { success: true } })
})

test.each([
  ['update', priority],
  ['delete', { annotationIds: ['mine'] }],
  ['comments/update', { annotationId: 'mine', commentIds: [1], updatedData: { commentText: 'New' } }],
  ['comments/delete', { annotationId: 'mine' }],
])('%s is refused to a verified user without access, and needs the user', async (path, data) => {
  const denied = await call(path, { ...data, ...verified(stranger) })
  expect([denied.status, denied.body.error.message]).toEqual([403, 'The user stranger has no access to the document.'])
  const unnamed = await call(path, { ...data, verifyUserPermissions: true })
  const message = 'actionUser is required when verifyUserPermissions is true'
  expect([unnamed.status, unnamed.body.error.message]).toEqual([400, message])
})

test('what is not verified is a call of the backend of the customer, which may change everything', async () => {
  const data = await review.ok('update', { ...priority, actionUser: viewer })
  expect(data).toMatchObject({ mine: { success: true }, theirs: { success: true } })
})
