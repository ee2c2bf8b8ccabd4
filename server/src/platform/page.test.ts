import { beforeAll, expect, test } from 'vitest'
import {
  newWorkspace,
  type Service,
  startConfigured,
  startService,
  type TestWorkspace,
} from '../../test/running-service.ts'
import { sql } from './db/db.ts'

const LIMIT = 20_000
const COUNT = 10
const note = 'x'.repeat(5_000)
const organizationId = 'acme'
const place = { organizationId, documentId: 'd0' }
const from = { userId: 'u0' }
const ids = (prefix: string) => Array.from({ length: COUNT }, (_, n) => `${prefix}${n}`)

let ws: TestWorkspace
let service: Service
let operations: Service['app']['operations']

beforeAll(async () => {
  await startService()
  service = await startConfigured({ PAGE_LIMIT_BYTES: String(LIMIT) })
  operations = service.app.operations
  ws = await newWorkspace(service)
  const organizations = ids('o').map((id) => ({ organizationId: id, organizationName: id, note }))
  await ws.ok('/v2/organizations/add', {
    organizations: [...organizations, { organizationId, organizationName: 'Acme' }],
  })
  const folders = ids('f').map((folderId) => ({ folderId, folderName: folderId, note }))
  await ws.ok('/v2/organizations/folders/add', { organizationId, folders })
  const below = ids('g').map((folderId) => ({ folderId, folderName: folderId, parentFolderId: 'f0', note }))
  await ws.ok('/v2/organizations/folders/add', { organizationId, folders: below })
  await ws.ok('/v2/organizations/documents/add', {
    organizationId,
    documents: ids('d').map((documentId) => ({ documentId, documentName: documentId, note })),
  })
  const organizationUserGroups = ids('w').map((groupId) => ({ groupId, groupName: note }))
  await ws.ok('/v2/organizations/usergroups/add', { organizationId, organizationUserGroups })
  const photoUrl = `https://example.com/${'p'.repeat(1_900)}`
  const users = Array.from({ length: 2 * COUNT }, (_, n) => ({ userId: `u${n}`, photoUrl }))
  await ws.ok('/v2/users/add', { organizationId, users })
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: ids('t').map((annotationId) => ({ annotationId, commentData: [{ from, commentText: note }] })),
  })
  const commentData = ids('c').map(() => ({ from: { userId: 'u9' }, commentText: note }))
  const commentAnnotations = [{ annotationId: 'long', commentData: [{ from: { userId: 'u9' }, commentText: note }] }]
  await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations })
  await ws.ok('/v2/commentannotations/comments/add', { ...place, annotationId: 'long', commentData })
  await ws.ok('/v2/reactions/add', {
    ...place,
    annotationId: 't0',
    reactions: ids('r').map((reactionId) => ({ reactionId, icon: 'heart', from, context: { note } })),
  })
  await ws.ok('/v2/recordings/add', {
    ...place,
    recordings: ids('v').map((annotationId) => ({
      annotationId,
      recordingType: 'audio',
      mode: 'floating',
      recordedTime: { duration: 1 },
      attachments: [],
      transcription: { note },
      from,
    })),
  })
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  await ws.ok('/v2/activities/add', {
    ...place,
    activities: ids('a').map((id) => ({
      id,
      featureType: 'custom',
      actionType: 'note',
      actionUser: from,
      targetEntityId: 'e',
      displayMessageTemplate: 'note',
      displayMessageTemplateData: { note },
    })),
  })
  for (const letter of ids('l')) {
    const domains = Array.from({ length: 20 }, (_, n) => `${`${letter}-${n}.`.repeat(20)}example.com`)
    await ws.ok('/v2/workspace/domains/add', { domains })
  }
  for (const notificationId of ids('n')) {
    await ws.ok('/v2/notifications/add', {
      ...place,
      notificationId,
      actionUser: from,
      displayHeadlineMessageTemplate: 'note',
      displayBodyMessage: note,
      notifyUsers: [{ userId: 'u1' }],
    })
  }
})

/** What a record of it holds is cut, so there are many. */
async function countAudit(): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(sql`
    select count(*) as count from audit_record where workspace_id = ${ws.id}`)
  return row?.count ?? 0
}

interface List {
  path: string
  filter?: object
  /** How many items the list has. */
  items: number | (() => Promise<number>)
  /** True where the workspace asks, not an API key. */
  ofWorkspace?: boolean
}

const LISTS: Record<string, List> = {
  getOrganizations: { path: '/v2/organizations/get', items: COUNT + 1 },
  getFolders: { path: '/v2/organizations/folders/get', filter: { organizationId, pageSize: 100 }, items: 2 * COUNT },
  getDocuments: { path: '/v2/organizations/documents/get', filter: { organizationId }, items: COUNT },
  getUsers: { path: '/v2/users/get', filter: { organizationId }, items: 2 * COUNT },
  getCommentAnnotations: { path: '/v2/commentannotations/get', filter: place, items: COUNT + 1 },
  getComments: {
    path: '/v2/commentannotations/comments/get',
    filter: { ...place, annotationId: 'long' },
    items: COUNT + 1,
  },
  getReactions: { path: '/v2/reactions/get', filter: { organizationId }, items: COUNT },
  getRecordings: { path: '/v2/recordings/get', filter: { organizationId }, items: COUNT },
  getActivities: { path: '/v2/activities/get', filter: { organizationId, actionTypes: ['note'] }, items: COUNT },
  getNotifications: { path: '/v2/notifications/get', filter: { organizationId, userId: 'u1' }, items: COUNT },
  getUserGroups: { path: '/v2/organizations/usergroups/get', filter: { organizationId }, items: COUNT },
  getAuditRecords: { path: '/v2/workspace/audit/get', items: () => countAudit(), ofWorkspace: true },
  getUserData: { path: '/v2/users/data/get', filter: { organizationId, userId: 'u0' }, items: 4 * COUNT },
}
// Their items are of a few hundred bytes each, whatever callers send.
const SMALL_ITEMS = ['getApiKeys', 'listEmails', 'listDeliveries', 'listRequests', 'searchOrganizations', 'searchUsers']

interface Page {
  data: unknown
  pageToken?: string | null
  nextPageToken?: string | null
}

/** The items of a page, whatever groups it has. */
function itemsOf(data: unknown): unknown[] {
  if (!Array.isArray(data)) return Object.values(data as object).flatMap((part) => (Array.isArray(part) ? part : []))
  const groups = data.flatMap((each) => (each.annotations ? each.annotations : [each]))
  return groups
}

test('every operation that pages is among those that are tried here', () => {
  const paged = operations.filter(({ declaration }) => declaration.page).map(({ name }) => name)
  expect(paged.sort()).toEqual([...Object.keys(LISTS), ...SMALL_ITEMS].sort())
})

test.each(Object.entries(LISTS))(
  '%s: a page holds at most PAGE_LIMIT_BYTES of records, and nothing is lost or repeated',
  async (_name, { path, filter = {}, items, ofWorkspace = false }) => {
    const headers = ofWorkspace ? ws.workspaceHeaders : ws.keyHeaders
    const read = async (input: object): Promise<Page> =>
      ((await service.call<string>(path, input, headers)) as { body: { result: Page } }).body.result
    const pages = []
    let token: string | null = null
    do {
      const { data, pageToken, nextPageToken } = await read({ ...filter, ...(token && { pageToken: token }) })
      pages.push(itemsOf(data))
      token = pageToken ?? nextPageToken ?? null
    } while (token)
    expect(pages.length).toBeGreaterThan(1)
    // The last record of a page may exceed the limit, and what surrounds the records is not counted.
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(2 * LIMIT)
    const all = pages.flat().map((item) => JSON.stringify(item))
    const count = typeof items === 'number' ? items : await items()
    expect([all.length, new Set(all).size]).toEqual([count, count])
  },
)

test('lists without paging answer everything, however many bytes', async () => {
  const documents = await ws.ok('/v1/organizations/documents/get', { organizationId })
  expect(documents.data.map(({ id }: { id: string }) => id)).toEqual(ids('d'))
  const folders = await ws.ok('/v2/organizations/folders/get', { organizationId })
  expect(folders.data.map(({ folderId }: { folderId: string }) => folderId)).toEqual([...ids('f'), ...ids('g')])
  expect(folders.data.at(-1)).toMatchObject({ note, ancestors: ['root', 'f0'] })
})

test('a folder comes with all below it, however many bytes', async () => {
  const { data } = await ws.ok('/v2/organizations/folders/get', { organizationId, folderId: 'f0' })
  expect(data).toHaveLength(1)
  expect(data[0]).toMatchObject({ folderId: 'f0', note })
  const below = data[0]?.subFolders?.map(({ folderId, note: text }: Record<string, unknown>) => [folderId, text])
  expect(below).toEqual(ids('g').map((id) => [id, note]))
})
