import { beforeAll, beforeEach, expect, test } from 'vitest'
import { blocksRead } from '../../../../test/measuring/explained.ts'
import { at, newReview, type Review } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { hasFields } from './access-fields.ts'

const { organizationId, documentId } = at
const [finance, legal, nobody] = ['finance', 'legal', 'nobody'].map((userId) => ({ userId }))
const context = { access: { dept: 'finance' } }

let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.ws.ok('/v2/users/add', {
    organizationId,
    users: [
      { userId: 'author' },
      { ...finance, accessFields: ['dept:finance', 'level:3'] },
      { ...legal, accessFields: ['dept:legal'] },
      { ...nobody },
    ],
  })
})

const inbox = async (userId: string) => {
  const { data } = await review.ws.ok('/v2/notifications/get', { organizationId, userId })
  return data.length
}
const notify = (access: object) =>
  review.ws.ok('/v2/notifications/add', {
    ...at,
    actionUser: { userId: 'author' },
    notifyUsers: [finance, legal, nobody],
    notifyAll: false,
    displayHeadlineMessageTemplate: 'News',
    displayBodyMessage: 'Text',
    context: { access },
  })

test('a notification with a context.access reaches the users who have every field of it', async () => {
  await notify({ dept: 'finance', level: 3 })
  expect([await inbox('finance'), await inbox('legal'), await inbox('nobody')]).toEqual([1, 0, 0])
  await notify({ dept: 'finance', level: 4 })
  expect(await inbox('finance')).toBe(1)
})

test('everybody has default:velt', async () => {
  await notify({ default: 'velt' })
  expect([await inbox('finance'), await inbox('legal'), await inbox('nobody')]).toEqual([1, 1, 1])
})

test('a notification is no longer shown to a user whose fields were replaced; a call without a user sees all', async () => {
  await notify({ dept: 'finance' })
  const resources = [{ type: 'organization', id: organizationId, accessFields: [] }]
  await review.ws.ok('/v2/auth/permissions/add', { user: finance, permissions: { resources } })
  expect(await inbox('finance')).toBe(0)
  const { data } = await review.ws.ok('/v2/notifications/get', { organizationId })
  expect(data).toHaveLength(1)
})

test('a field that is given for a document, or for a folder above it, counts there alone', async () => {
  await review.ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId: 'f' }] })
  await review.ws.ok('/v2/organizations/documents/move', { organizationId, folderId: 'f', documentIds: [documentId] })
  const resources = [{ type: 'folder', id: 'f', organizationId, accessFields: ['dept:finance'] }]
  await review.ws.ok('/v2/auth/permissions/add', { user: nobody, permissions: { resources } })
  await notify({ dept: 'finance' })
  expect(await inbox('nobody')).toBe(1)
  await review.ws.ok('/v2/organizations/documents/move', {
    organizationId,
    folderId: 'root',
    documentIds: [documentId],
  })
  expect(await inbox('nobody')).toBe(0)
})

test('a field that is given for a folder does not count for a document or an organization of the same id', async () => {
  await review.thread('t', { context })
  for (const folderId of [documentId, organizationId]) {
    await review.ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId }] })
    const resources = [{ type: 'folder', id: folderId, organizationId, accessFields: ['dept:finance'] }]
    await review.ws.ok('/v2/auth/permissions/add', { user: nobody, permissions: { resources } })
  }
  await notify({ dept: 'finance' })
  expect(await inbox('nobody')).toBe(0)
  expect(await review.threads({ visibleToUserId: 'nobody' })).toEqual([])
  expect(await review.threads({ visibleToUserId: 'finance' })).toHaveLength(1)
})

test('a thread with a context.access notifies only mentioned users who have its fields', async () => {
  await review.ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await review.ok('add', {
    commentAnnotations: [
      {
        annotationId: 't',
        context,
        commentData: [{ from: { userId: 'author' }, commentText: 'Text', taggedUserContacts: [finance, legal] }],
      },
    ],
  })
  expect([await inbox('finance'), await inbox('legal')]).toEqual([1, 0])
})

test('users/data/get shows a thread that mentions the user only where the user has its fields', async () => {
  const commentData = [{ from: { userId: 'author' }, commentText: 'Text', taggedUserContacts: [finance, legal] }]
  await review.ok('add', { commentAnnotations: [{ annotationId: 't', context, commentData }] })
  const shown = async (userId: string) =>
    (await review.ws.ok('/v2/users/data/get', { organizationId, userId })).data.comments.length
  expect([await shown('finance'), await shown('legal'), await shown('author')]).toEqual([1, 0, 1])
})

test('a verified user without the fields of a thread neither writes in it nor changes it', async () => {
  await review.thread('t', { context })
  const add = (from: object) =>
    review.call('comments/add', {
      annotationId: 't',
      verifyUserPermissions: true,
      commentData: [{ from, commentText: 'Text' }],
    })
  const denied = await add(legal ?? {})
  const message = 'The annotation t is not shown to the user legal.'
  expect([denied.status, denied.body.error.message]).toEqual([403, message])
  expect((await add(finance ?? {})).status).toBe(200)
  const update = (actionUser: unknown) =>
    review.ok('update', {
      annotationIds: ['t'],
      updatedData: { priority: { id: 'p' } },
      verifyUserPermissions: true,
      actionUser,
    })
  expect(await update(legal)).toMatchObject({ t: { success: false, message: 'Annotation not found.' } })
  expect(await update(finance)).toMatchObject({ t: { success: true } })
})

test('users/get says which fields were given at the level, permissions/get which anywhere in the organization', async () => {
  const { data: users } = await review.ws.ok('/v2/users/get', { organizationId, userIds: ['finance', 'nobody'] })
  expect(users).toMatchObject([{ accessFields: ['dept:finance', 'level:3'] }, {}])
  expect(Object.values(users)[1]).not.toHaveProperty('accessFields')
  const resources = [{ type: 'document', id: documentId, organizationId, accessFields: ['dept:legal'] }]
  await review.ws.ok('/v2/auth/permissions/add', { user: finance, permissions: { resources } })
  const { data } = await review.ws.ok('/v2/auth/permissions/get', { organizationId, userIds: ['finance', 'nobody'] })
  expect(data.finance?.context).toEqual({ accessFields: ['dept:finance', 'dept:legal', 'level:3'] })
  expect(data.nobody).not.toHaveProperty('context')
})

test('users/update replaces the fields, and keeps them where it names none', async () => {
  const update = (fields: object) =>
    review.ws.ok('/v2/users/update', { organizationId, users: [{ ...finance, ...fields }] })
  const held = async () =>
    (await review.ws.ok('/v2/auth/permissions/get', { organizationId, userIds: ['finance'] })).data.finance?.context
  await update({ name: 'Fin' })
  expect(await held()).toEqual({ accessFields: ['dept:finance', 'level:3'] })
  await update({ accessFields: ['dept:legal'] })
  expect(await held()).toEqual({ accessFields: ['dept:legal'] })
})

test.each([
  ['users[0].accessFields[0]', ['finance']],
  ['users[0].accessFields', Array.from({ length: 201 }, (_, i) => `n:${i}`)],
])('%s of a wrong form is refused', async (path, accessFields) => {
  const { status, body } = await review.ws.call('/v2/users/add', {
    organizationId,
    users: [{ userId: 'u', accessFields }],
  })
  expect([status, body.error.message.startsWith(`${path} must`)]).toEqual([400, true])
})

test('a grant that ends changes the fields of one for good, but neither its role nor its end', async () => {
  const resources = [
    {
      type: 'organization',
      id: organizationId,
      accessRole: 'viewer',
      expiresAt: Date.now() + 3_600_000,
      accessFields: ['dept:legal'],
    },
  ]
  await review.ws.ok('/v2/auth/permissions/add', { user: finance, permissions: { resources } })
  const { data } = await review.ws.ok('/v2/auth/permissions/get', { organizationId, userIds: ['finance'] })
  expect(data.finance).toMatchObject({
    organization: { [organizationId]: { accessRole: 'editor' } },
    context: { accessFields: ['dept:legal'] },
  })
  expect(data.finance?.organization[organizationId]).not.toHaveProperty('expiresAt')
})

test('the grants of a user are read once, and the fields that a context takes are sent once', async () => {
  const { database } = service
  const tenant: ApiKeyTenant = { apiKey: review.ws.apiKey, workspaceId: review.ws.id }
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const names = Array.from({ length: 200 }, (_, n) => `field ${n}`)
  const users = Array.from({ length: 50 }, (_, n) => ({ userId: `user ${n}` }))
  const holding = users.map((user) => ({ ...user, accessFields: names.map((name) => `${name}:1`) }))
  await review.ws.ok('/v2/users/add', { organizationId, users: holding })
  const all = { access: Object.fromEntries(names.map((name) => [name, 1])) }
  const ask = (db: Db, contexts: object[]) =>
    hasFields(
      db,
      tenant,
      organizationKey,
      [...users, { userId: 'nobody' }].flatMap(({ userId }) =>
        contexts.map((context) => ({ documentKey: keyOf(documentId), userId, context })),
      ),
    )
  const blocks = (contexts: object[]) => blocksRead(database, (db) => ask(db, contexts))
  expect(await blocks([all, all])).toBeLessThan(2 * (await blocks([{ access: { 'field 0': 1 } }])))
  const answers = await ask(database, [all, all, {}])
  expect(answers).toEqual([...users.flatMap(() => [true, true, true]), false, false, true])

  let sent = ''
  const noting: Db = {
    query(statement) {
      sent += JSON.stringify(statement.values)
      return database.query(statement)
    },
  }
  await ask(noting, [all, all])
  expect(sent.split('field 7').length).toBe(1 + 11)
})
