import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ada, at, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { groupsOf } from './on-places-deleted.ts'

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.thread('t')
  await review.thread('u')
})

const deletions = async () =>
  (await review.events())
    .filter(({ type }) => type === 'comment.delete')
    .map(({ advanced }) => advanced.data.commentAnnotation.annotationId)
    .sort()

test('deleting a document emits comment.delete for each of its threads', async () => {
  await review.ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
  expect(await deletions()).toEqual(['t', 'u'])
})

test('deleting a folder emits comment.delete for the threads of its documents', async () => {
  await review.ws.ok('/v2/organizations/folders/add', { organizationId: 'acme', folders: [{ folderId: 'f' }] })
  await review.ws.ok('/v2/organizations/documents/move', { ...at, documentIds: ['plan'], folderId: 'f' })
  await review.ws.ok('/v2/organizations/folders/delete', { organizationId: 'acme', folderId: 'f' })
  expect(await deletions()).toEqual(['t', 'u'])
})

test('deleting an organization emits comment.delete for each of its threads', async () => {
  await review.ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
  expect(await deletions()).toEqual(['t', 'u'])
})

test('more threads than one batch are each announced once', async () => {
  const commentAnnotations = Array.from({ length: 450 }, (_, n) => ({
    annotationId: `n${n}`,
    commentData: [{ from: ada, commentText: 'One' }],
  }))
  await review.ws.ok('/v2/commentannotations/add', { ...at, commentAnnotations, triggerNotification: false })
  await review.ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
  const ids = await deletions()
  expect([ids.length, new Set(ids).size]).toEqual([452, 452])
})

test('large threads of one document share in the size that the events of one call may have', async () => {
  const commentAnnotations = Array.from({ length: 38 }, (_, n) => ({
    annotationId: `large${n}`,
    context: { text: 'x'.repeat(250_000) },
    commentData: [{ from: ada, commentText: 'One' }],
  }))
  for (const half of [commentAnnotations.slice(0, 19), commentAnnotations.slice(19)]) {
    await review.ws.ok('/v2/commentannotations/add', { ...at, commentAnnotations: half, triggerNotification: false })
  }
  await review.ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
  const events = (await review.events()).filter(({ type }) => type === 'comment.delete')
  const abridged = events.filter(({ advanced }) => 'isAbridged' in advanced.data.commentAnnotation)
  expect([events.length, abridged.length]).toEqual([40, 38])
})

test('threads of several documents, more than one batch, go with their organization and are each announced once', async () => {
  const documentIds = ['plan', 'second', 'third']
  for (const documentId of documentIds) {
    const commentAnnotations = Array.from({ length: 400 }, (_, n) => ({
      annotationId: `${documentId}-${n}`,
      commentData: [{ from: ada, commentText: 'One' }],
      lastUpdated: 1_700_000_000_000,
    }))
    const place = { organizationId: 'acme', documentId, createDocument: true }
    await review.ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations, triggerNotification: false })
  }
  await review.ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
  await service.drainJobs()
  const ids = await deletions()
  expect([ids.length, new Set(ids).size]).toEqual([1_202, 1_202])
})

/** Deletions of which one repeats the organization, abridged or not. */
const repeating = async (isAbridged: boolean) =>
  (await review.events()).filter(
    ({ type, advanced }) => type === 'comment.delete' && isAbridged === 'isAbridged' in organizationIn(advanced),
  ).length

const organizationIn = ({ data }: { data: object }): object =>
  (data as { metadata: { organizationMetadata: object } }).metadata.organizationMetadata

/** Adds a document with a thread, and as many more. Their organization has so much metadata of its own. */
async function addDocuments(count: number, text: string, thread: object = {}) {
  const organizations = [{ organizationId: 'acme', text }]
  await review.ws.ok('/v2/organizations/update', { organizations })
  const documentIds = Array.from({ length: count }, (_, n) => `d${n}`)
  for (const documentId of documentIds) {
    const commentAnnotations = [{ ...thread, commentData: [{ from: ada, commentText: 'One' }] }]
    const place = { organizationId: 'acme', documentId, createDocument: true }
    await review.ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations, triggerNotification: false })
  }
  return documentIds
}

test('threads of many documents share in that size too', async () => {
  const documentIds = await addDocuments(36, 'x'.repeat(250_000))
  await review.ws.ok('/v2/organizations/documents/delete', { ...at, documentIds })
  expect([await repeating(false), await repeating(true)]).toEqual([0, 36])
})

test.each(['a location in many organizations', 'many organizations'])(
  'threads of %s share in that size too',
  async (what) => {
    const location = { id: 'here' }
    const organizationIds = Array.from({ length: 36 }, (_, n) => `o${n}`)
    for (const organizationId of organizationIds) {
      const place = { organizationId, documentId: 'plan', createOrganization: true, createDocument: true }
      const context = { text: 'x'.repeat(250_000) }
      const commentAnnotations = [{ location, context, commentData: [{ from: ada, commentText: 'One' }] }]
      await review.ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations, triggerNotification: false })
    }
    const { apiKey, keyHeaders } = review.ws
    const deletion = { apiKey, authToken: keyHeaders['x-service-auth-token'], documentId: 'plan', location }
    if (what === 'many organizations') await review.ws.ok('/v2/organizations/delete', { organizationIds })
    else await review.ws.ok('/v1/organizations/documents/locations/data/delete', deletion)
    const events = (await review.events()).filter(({ type }) => type === 'comment.delete')
    const abridged = events.filter(({ advanced }) => 'isAbridged' in advanced.data.commentAnnotation)
    expect([events.length, abridged.length]).toEqual([36, 36])
  },
)

test('threads that jobs remove with their organization share in the size of all of them', async () => {
  await addDocuments(1, 'x'.repeat(20_000))
  const commentAnnotations = Array.from({ length: 1_000 }, () => ({ commentData: [{ from: ada, commentText: 'One' }] }))
  await review.ws.ok('/v2/commentannotations/add', { ...at, commentAnnotations, triggerNotification: false })
  await review.ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
  await service.drainJobs()
  expect([await repeating(false), await repeating(true)]).toEqual([0, 1_003])
})

test('documents are emptied together where they have few threads', async () => {
  const documentOf = (count: number, n: number) => {
    return { organizationKey: 'o', organizationId: 'o', documentKey: `d${n}`, documentId: `${n}`, count }
  }
  const groups = groupsOf([600, 399, 1, 1, 1_100, 1].map(documentOf))
  expect(groups.map(({ documentKeys }) => documentKeys)).toEqual([['d0', 'd1', 'd2'], ['d3'], ['d4'], ['d5']])

  const counts = [600, 399, 1, 1, 0, 3]
  for (const [n, count] of counts.entries()) {
    const commentAnnotations = Array.from({ length: count }, (_, i) => ({
      annotationId: `${n} ${i}`,
      commentData: [{ from: ada, commentText: 'One' }],
    }))
    const place = { organizationId: 'acme', documentId: `d${n}`, createDocument: true }
    await review.ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations, triggerNotification: false })
  }
  const documentIds = [...counts.keys()].map((n) => `d${n}`)
  await review.ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds })
  const ids = await deletions()
  expect([ids.length, new Set(ids).size]).toEqual([1_004, 1_004])
  expect((await review.threads()).map((thread) => thread?.annotationId).sort()).toEqual(['t', 'u'])
})
