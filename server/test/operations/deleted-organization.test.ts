import { expect, test } from 'vitest'
import { registry } from '../../src/operations.ts'
import { listOperations } from '../../src/platform/operation.ts'
import { newWorkspace, startAlone, type TestWorkspace } from '../running-service.ts'

const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob', email: 'bob@example.com' }
const place = { organizationId: 'acme', documentId: 'plan' }

/** What a read names, by its fields. */
const NAMED: Record<string, unknown> = {
  ...place,
  annotationId: 'n-0',
  annotationIds: ['n-0', 'n-1'],
  documentIds: ['plan', 'other'],
  folderIds: ['f'],
  organizationIds: ['acme', 'beta'],
  reactionIds: ['r'],
  recordingIds: ['rec'],
  notificationIds: ['note'],
  activityIds: ['act'],
  userIds: ['ada', 'bob'],
  userId: 'ada',
  question: 'What was said on the invoice?',
  checks: [{ userId: 'ada', resource: { type: 'document', id: 'plan' }, action: 'view' }],
}

/** Reads that answer differently by their nature: of what is removed, and of earlier requests. */
const DIFFERING = ['/v2/organizations/delete/status', '/v2/workspace/requests/list']

/** What is searched: judgments and knowledge, users, and organizations. */
const QUERIES = ['comment on the invoice', 'ada', 'SECRET']

/** Reads of an API key, each with all that it can name, with the organization alone, and with as little as possible. */
const READS = listOperations(registry)
  .filter(
    ({ declaration: { access, auth, path } }) => access === 'read' && auth === 'apiKey' && !DIFFERING.includes(path),
  )
  .flatMap(({ declaration: { path, input } }) => {
    const { properties = {}, required = [] } = input as { properties?: object; required?: string[] }
    const fields = (wanted: (name: string) => boolean) =>
      Object.fromEntries(Object.entries(NAMED).filter(([name]) => name in properties && wanted(name)))
    const inputs = [() => true, (name: string) => name === 'organizationId', () => false].map((wanted) =>
      JSON.stringify(fields((name) => wanted(name) || required.includes(name))),
    )
    const queries = 'query' in properties ? QUERIES.map((query) => ({ query })) : [{}]
    return [...new Set(inputs)].flatMap((data) =>
      queries.map((query) => ({ path, data: { ...JSON.parse(data), ...query } })),
    )
  })

test('nobody can tell an organization that is being removed from one that never was', async () => {
  const service = await startAlone()
  const ws = await newWorkspace(service)
  await fill(ws)
  await service.drainJobs()
  const deletion = await ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
  expect(deletion.data.acme?.success).toBe(true)
  const hidden = await answersOf(ws)
  expect((await ws.ok('/v2/organizations/delete/status')).data).toHaveLength(1)
  await service.drainJobs()
  expect((await ws.ok('/v2/organizations/delete/status')).data).toEqual([])
  const removed = await answersOf(ws)
  expect(Object.keys(hidden).filter((call) => hidden[call]?.text !== removed[call]?.text)).toEqual([])
  const answered = Object.entries(hidden).filter(([, { status }]) => status === 200)
  expect(answered.length).toBeGreaterThan(40)
  expect(answered.filter(([, { text }]) => text.includes('SECRET')).map(([call]) => call)).toEqual([])
})

/** The status and the text of every read, without the time that it took and the tokens of links. */
async function answersOf(ws: TestWorkspace): Promise<Record<string, { status: number; text: string }>> {
  const answers: Record<string, { status: number; text: string }> = {}
  for (const { path, data } of READS) {
    const { status, body } = await ws.call(path, data)
    answers[`${path} ${JSON.stringify(data)}`] = {
      status,
      text: JSON.stringify(body).replaceAll(/"searchLatencyMs":[\d.]+|token=[\w.-]+/g, ''),
    }
  }
  return answers
}

/** Records of every kind in the organization `acme`, whose texts say SECRET, and a few in another. */
async function fill(ws: TestWorkspace): Promise<void> {
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  await ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true })
  await ws.ok('/v2/workspace/apikeyconfig/update', { advancedQueries: true })
  for (const organizationId of ['acme', 'beta']) {
    const named = organizationId === 'acme' ? 'SECRET' : 'plain'
    const at = { organizationId, documentId: 'plan' }
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId, organizationName: named }] })
    await ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId: 'f', folderName: named }] })
    await ws.ok('/v2/organizations/documents/add', {
      organizationId,
      documents: [{ documentId: 'plan', documentName: named }, { documentId: 'other' }],
    })
    await ws.ok('/v2/users/add', { organizationId, users: [ada, bob] })
    const groups = [{ groupId: 'g', groupName: named }]
    await ws.ok('/v2/organizations/usergroups/add', { organizationId, organizationUserGroups: groups })
    await ws.ok('/v2/commentannotations/add', {
      ...at,
      commentAnnotations: threads(organizationId === 'acme' ? 1_000 : 2),
    })
    await ws.ok('/v2/commentannotations/add', {
      ...at,
      commentAnnotations: [{ ...threads(1)[0], annotationId: 'one-more' }],
    })
    const reactions = [{ reactionId: `r`, icon: named, from: ada }]
    await ws.ok('/v2/reactions/add', { ...at, annotationId: 'n-0', reactions })
    const recording = { annotationId: 'rec', recordingType: 'audio', mode: 'floating', recordedTime: { duration: 1 } }
    await ws.ok('/v2/recordings/add', { ...at, recordings: [{ ...recording, attachments: [], from: ada }] })
    await ws.ok('/v2/notifications/add', {
      ...at,
      notificationId: 'note',
      actionUser: bob,
      notifyUsers: [ada],
      notifyAll: false,
      displayHeadlineMessageTemplate: named,
      displayBodyMessage: named,
    })
    await ws.ok('/v2/memory/judgments/add', {
      ...at,
      judgments: Array.from({ length: 4 }, (_, n) => ({
        recordId: `${organizationId}-${n}`,
        decision: n % 2 ? 'approve' : 'reject',
        reasoning: `${named} comment on the invoice: ${n % 2 ? 'it is complete' : 'the total is missing'}`,
        content: `${named} invoice ${n}`,
        actionUser: ada,
      })),
    })
    const text = `- ${named}: a comment on the invoice names its total.`
    const file = { base64: Buffer.from(text).toString('base64'), mimeType: 'text/plain', fileName: 'a.txt' }
    await ws.ok('/v2/memory/knowledge/ingest', {
      organizationId,
      source: 'inline',
      file: { ...file, fileSize: text.length },
    })
  }
}

const threads = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    annotationId: `n-${n}`,
    commentData: [{ commentText: 'SECRET comment on the invoice', from: n % 2 ? ada : bob }],
  }))
