import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addCopies } from '../../../test/measuring/many-recordings.ts'
import { at, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'

const { organizationId, documentId } = at
const newDocumentId = 'plan-b'
const there = { organizationId, documentId: newDocumentId }
const from = { userId: 'ada' }

let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
})

async function migrate(): Promise<string> {
  const { data } = await review.ws.ok('/v2/organizations/documents/migrate', { ...at, newDocumentId })
  return data.migrationId
}
const statusOf = async (migrationId: string) =>
  (await review.ws.ok('/v2/organizations/documents/migrate/status', { organizationId, migrationId })).data
const threadsIn = async (place: object) => {
  const { body } = await review.ws.call('/v2/commentannotations/get', place)
  return body.result?.data ?? []
}

test('a migration answers its id, and its status until it is completed', async () => {
  const migrationId = await migrate()
  expect(await statusOf(migrationId)).toEqual({ migrationId, status: 'pending' })
  await service.drainJobs()
  expect(await statusOf(migrationId)).toEqual({ migrationId, status: 'completed' })
})

test('the document keeps everything but its id', async () => {
  await review.ws.ok('/v2/organizations/documents/update', {
    organizationId,
    documents: [{ documentId, documentName: 'Plan', accessType: 'restricted', color: 'red' }],
  })
  await migrate()
  await service.drainJobs()
  const { data } = await review.ws.ok('/v2/organizations/documents/get', { organizationId })
  expect(data).toEqual([
    { id: newDocumentId, documentName: 'Plan', accessType: 'restricted', color: 'red', disabled: false },
  ])
})

test('threads, reactions, recordings, notifications, preferences, grants and judgments come along', async () => {
  await review.thread('t')
  await review.ws.ok('/v2/reactions/add', {
    ...at,
    annotationId: 't',
    reactions: [{ reactionId: 'r', icon: 'x', from }],
  })
  const recording = { annotationId: 'v', recordingType: 'audio', mode: 'floating', recordedTime: { duration: 1 } }
  await review.ws.ok('/v2/recordings/add', { ...at, recordings: [{ ...recording, attachments: [] }] })
  await review.ws.ok('/v2/notifications/add', {
    ...at,
    actionUser: from,
    displayHeadlineMessageTemplate: 'H',
    displayBodyMessage: 'B',
    notifyUsers: [{ userId: 'bob' }],
  })
  const preference = { organizationId, documentIds: [documentId], userIds: ['bob'], config: { inbox: 'NONE' } }
  await review.ws.ok('/v2/notifications/config/set', preference)
  const resources = [{ type: 'document', id: documentId, organizationId, accessRole: 'viewer' }]
  await review.ws.ok('/v2/auth/permissions/add', { user: { userId: 'bob' }, permissions: { resources } })
  await review.ok('update', { annotationIds: ['t'], updatedData: { status: { id: 'RESOLVED', type: 'terminal' } } })
  const judgments = async (place: object) =>
    (await review.ws.ok('/v2/memory/judgments/query', { ...place, limit: 10 })).results.length
  expect(await judgments(at)).toBe(1)

  await migrate()
  await service.drainJobs()

  expect(await threadsIn(there)).toHaveLength(1)
  expect((await review.ws.ok('/v2/reactions/get', there)).data).toHaveLength(1)
  expect((await review.ws.ok('/v2/recordings/get', there)).data).toHaveLength(1)
  expect((await review.ws.ok('/v2/notifications/get', there)).data).toHaveLength(1)
  expect(await judgments(there)).toBe(1)
  expect(await judgments(at)).toBe(0)
  const { data } = await review.ws.ok('/v2/auth/permissions/get', {
    organizationId,
    userIds: ['bob'],
    documentIds: [newDocumentId],
  })
  expect(data.bob?.documents[newDocumentId]).toMatchObject({ accessRole: 'viewer' })
})

test('no thread is left under the old id, which names no document until it is added again', async () => {
  await review.thread('t')
  await migrate()
  await service.drainJobs()
  expect(await threadsIn(at)).toEqual([])
  const late = await review.call('add', { commentAnnotations: [{ commentData: [{ from, commentText: 'Late' }] }] })
  expect(late.status).toBe(404)
  await review.ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId }] })
  expect(await threadsIn(at)).toEqual([])
  expect(await threadsIn(there)).toHaveLength(1)
})

test('a thread that is added after the migration goes on with the numbering', async () => {
  await review.thread('t')
  await migrate()
  await service.drainJobs()
  await review.ws.ok('/v2/commentannotations/add', {
    ...there,
    commentAnnotations: [{ annotationId: 'u', commentData: [{ from, commentText: 'Next' }] }],
  })
  const threads = await threadsIn(there)
  expect(JSON.stringify(threads)).toContain('"annotationNumber":2')
})

test('activities are read under the new id; their chained entries keep the old one, and the log verifies', async () => {
  await review.ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  await review.ok('add', { commentAnnotations: [{ annotationId: 't', commentData: [{ from, commentText: 'First' }] }] })
  const read = async (place: object) => (await review.ws.ok('/v2/activities/get', { organizationId, ...place })).data
  const before = await read({ documentId })
  expect(before.length).toBeGreaterThan(0)
  await migrate()
  await service.drainJobs()
  const after = await read({ documentId: newDocumentId })
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(new Set(after.map(({ metadata }) => metadata.documentId))).toEqual(new Set([newDocumentId]))
  expect(await read({ documentId })).toEqual([])
  const { data } = await review.ws.ok('/v2/activities/verify', { organizationId })
  expect(data).toMatchObject({ valid: true, firstBreak: null })
})

test('a new id that exists is ALREADY_EXISTS, an unknown document, organization or migration NOT_FOUND', async () => {
  await review.ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: newDocumentId }] })
  const call = async (data: object) => {
    const { body } = await review.ws.call('/v2/organizations/documents/migrate', { ...at, newDocumentId, ...data })
    return body.error.status
  }
  expect(await call({})).toBe('ALREADY_EXISTS')
  expect(await call({ documentId: 'none' })).toBe('NOT_FOUND')
  expect(await call({ organizationId: 'none' })).toBe('NOT_FOUND')
  const path = '/v2/organizations/documents/migrate/status'
  expect((await review.ws.call(path, { organizationId, migrationId: 'none' })).status).toBe(404)
})

test('a migration fails, and changes nothing, where the new id is taken before it begins', async () => {
  await review.thread('t')
  const migrationId = await migrate()
  await review.ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: newDocumentId }] })
  await service.drainJobs()
  expect(await statusOf(migrationId)).toEqual({ migrationId, status: 'failed' })
  expect(await threadsIn(at)).toHaveLength(1)
})

test('a thread that is written while the document migrates is found under the new id, or refused', async () => {
  await migrate()
  const writes = Array.from({ length: 10 }, (_, n) =>
    review.call('add', {
      commentAnnotations: [{ annotationId: `t${n}`, commentData: [{ from, commentText: 'Text' }] }],
    }),
  )
  await Promise.all([...writes, service.drainJobs()])
  await service.drainJobs()
  const written = (await Promise.all(writes)).filter(({ status }) => status === 200)
  const kept = new Set(JSON.stringify(await threadsIn(there)).match(/"annotationId":"t\d"/g))
  expect(kept.size).toBe(written.length)
})

test('a document of more than 100,000 records of one kind is refused, and one that grew so large keeps its id', async () => {
  const recording = { annotationId: 'v', recordingType: 'audio', mode: 'floating', recordedTime: { duration: 1 } }
  await review.ws.ok('/v2/recordings/add', { ...at, recordings: [{ ...recording, attachments: [] }] })
  const migrationId = await migrate()
  await addCopies(service.database, review.ws.apiKey, 100_000)
  const { body } = await review.ws.call('/v2/organizations/documents/migrate', { ...at, newDocumentId })
  expect(body.error).toMatchObject({
    status: 'FAILED_PRECONDITION',
    message: 'The document plan holds more than 100,000 records of one kind.',
  })
  await service.drainJobs()
  expect(await statusOf(migrationId)).toEqual({ migrationId, status: 'failed' })
  expect((await review.ws.ok('/v2/recordings/get', { ...at, pageSize: 1 })).data).toHaveLength(1)
})
