import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob' }

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  ws = await newPlace()
})

async function newPlace(): Promise<TestWorkspace> {
  const place = await newWorkspace(service)
  await place.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }, { organizationId: 'beta' }] })
  for (const organizationId of ['acme', 'beta']) {
    await place.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'doc' }] })
  }
  return place
}

async function exported(from: TestWorkspace, data: object = {}): Promise<{ recordId: string; content: string }[]> {
  const { status, headers, body } = await from.call('/v2/memory/judgments/export', data)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
  const lines = body.split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line: string) => JSON.parse(line)).sort(byId)
}
const byId = (a: { recordId: string }, b: { recordId: string }) => (a.recordId < b.recordId ? -1 : 1)

const FULL = {
  recordId: 'full',
  decision: 'Approved',
  reasoning: 'Zeile\nwith "quotes", 価格 and \u2028.',
  content: 'Buy now!',
  contentUserId: 'bob',
  contentType: 'copy',
  confidence: 0.25,
  judgeType: 'human',
  agent: { agentId: 'linter', agentType: 'custom', executionId: 'run-1', agentFields: { severity: ['high', null] } },
  actionUser: ada,
  annotationId: 'thread-1',
  createdAt: 1_500_000_000_000,
  organizationId: 'acme',
  documentId: 'doc',
}
const PLAIN = { recordId: 'plain', decision: 'reject', reasoning: '', actionUser: bob, createdAt: 0 }
const DEFAULTS = { content: '', confidence: 1, judgeType: 'human' }

test('each line is what judgments/add takes, with everything that was given', async () => {
  await ws.ok('/v2/memory/judgments/add', { judgments: [FULL, PLAIN] })
  expect(await exported(ws)).toEqual([FULL, { ...PLAIN, ...DEFAULTS }])
})

test('adding the lines to another API key loses nothing, and to the same one changes nothing', async () => {
  await ws.ok('/v2/memory/judgments/add', { judgments: [FULL, PLAIN] })
  await decideThread(ws)
  await decideActivity(ws)
  const lines = await exported(ws)
  expect(lines.length).toBe(4)
  const other = await newPlace()
  for (const target of [other, ws]) {
    const { results } = await target.ok('/v2/memory/judgments/add', { judgments: lines })
    expect(Object.values(results).every((result) => (result as { success: boolean }).success)).toBe(true)
    expect(await exported(target)).toEqual(lines)
  }
  const thread = { organizationId: 'acme', filters: { annotationId: 'talk' } }
  expect((await other.ok('/v2/memory/search', thread)).results).toEqual(
    (await ws.ok('/v2/memory/search', thread)).results,
  )
})

test('what a user wrote is removed with the data of the user from imported judgments too', async () => {
  await ws.ok('/v2/memory/judgments/add', { judgments: [FULL] })
  await ws.ok('/v2/users/data/delete', { userIds: ['bob'] })
  await service.drainJobs()
  const [line] = await exported(ws)
  expect(line).toMatchObject({ recordId: 'full', content: '' })
  expect(line).not.toHaveProperty('contentUserId')
})

test('a record whose decision could not be added again is no judgment', async () => {
  await decideActivity(ws, { decision: '' })
  await decideActivity(ws, { decision: 'x'.repeat(257) })
  expect(await exported(ws)).toEqual([])
})

test('exports many, each once, whatever their size', async () => {
  const sizes = Array.from({ length: 1_100 }, (_, i) => (i % 100 === 0 ? 400_000 : 1))
  const judgments = sizes.map((size, i) => ({ ...PLAIN, recordId: `r${i}`, content: 'x'.repeat(size) }))
  for (let i = 0; i < judgments.length; i += 100) {
    await ws.ok('/v2/memory/judgments/add', { judgments: judgments.slice(i, i + 100) })
  }
  const lines = await exported(ws)
  expect(lines.map(({ recordId }) => recordId)).toEqual(judgments.map(({ recordId }) => recordId).sort())
  expect(lines.map(({ content }) => content.length).sort()).toEqual(sizes.sort())
})

test.each([
  ['all', {}, ['a', 'b', 'c', 'd']],
  ['one organization', { organizationId: 'acme' }, ['a', 'b', 'c']],
  ['one document', { organizationId: 'acme', documentId: 'doc' }, ['b']],
  ['some documents', { documentIds: ['doc'] }, ['b', 'd']],
  ['other documents', { excludeDocumentIds: ['doc'] }, ['a', 'c']],
  ['a decision', { decision: 'approve' }, ['a']],
  ['a side', { side: 'approve' }, ['a']],
  ['a reviewer', { reviewerId: 'ada' }, ['a']],
  ['a thread', { organizationId: 'acme', annotationId: 't' }, ['b', 'c']],
  ['a span of time', { dateRange: { start: 2, end: 3 } }, ['b', 'c']],
])('exports %s', async (_, data, ids) => {
  const judgments = [
    { ...PLAIN, recordId: 'a', createdAt: 1, organizationId: 'acme', decision: 'approved', actionUser: ada },
    { ...PLAIN, recordId: 'b', createdAt: 2, organizationId: 'acme', documentId: 'doc', annotationId: 't' },
    { ...PLAIN, recordId: 'c', createdAt: 3, organizationId: 'acme', annotationId: 't' },
    { ...PLAIN, recordId: 'd', createdAt: 4, organizationId: 'beta', documentId: 'doc', annotationId: 't' },
  ]
  await ws.ok('/v2/memory/judgments/add', { judgments })
  expect((await exported(ws, data)).map(({ recordId }) => recordId)).toEqual(ids)
})

test.each([
  ['organizationId', { documentId: 'doc' }],
  ['organizationId', { annotationId: 't' }],
  ['dateRange.start', { dateRange: { start: 2, end: 1 } }],
])('INVALID_ARGUMENT names %s of %j', async (path, data) => {
  const { status, body } = await ws.call('/v2/memory/judgments/export', data)
  expect([status, body.error.details.issues[0].path]).toEqual([400, path])
})

async function decideThread({ ok }: TestWorkspace): Promise<void> {
  const place = { organizationId: 'acme', documentId: 'doc' }
  const commentData = [{ from: bob, commentText: 'Is it right?' }]
  await ok('/v2/commentannotations/add', { ...place, commentAnnotations: [{ annotationId: 'talk', commentData }] })
  const updatedData = { status: { id: 'APPROVED', type: 'terminal' } }
  await ok('/v2/commentannotations/update', { ...place, annotationIds: ['talk'], updatedData, actionUser: ada })
}

async function decideActivity({ ok }: TestWorkspace, entityData: object = { decision: 'endorse' }): Promise<void> {
  await ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  const activity = { featureType: 'custom', targetEntityId: 'x', actionType: 'review', actionUser: ada, entityData }
  await ok('/v2/activities/add', { organizationId: 'acme', documentId: 'doc', activities: [activity] })
}
