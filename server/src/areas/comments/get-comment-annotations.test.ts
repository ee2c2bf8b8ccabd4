import { beforeAll, describe, expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { pagesOf } from '../../../test/pages.ts'
import { ada, at, bob, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { hexId } from '../../platform/id.ts'

let service: Service
let review: Review

const agent = { agentId: 'linter', agentSource: 'external', executionId: 'run-1', url: 'https://example.com/a' }

beforeAll(async () => {
  service = await startService()
  review = await newReview(service)
  const { ws } = review
  await ws.ok('/v2/organizations/folders/add', { organizationId: 'acme', folders: [{ folderId: 'f' }] })
  await ws.ok('/v2/organizations/documents/add', {
    organizationId: 'acme',
    folderId: 'f',
    documents: [{ documentId: 'spec' }],
  })
  const time = (n: number) => ({ createdAt: n * 1000, lastUpdated: n * 1000 + 500 })
  await review.thread('one', { ...time(1), location: { id: 'top' } })
  await review.thread('two', { ...time(2), location: { locationName: 'Bottom' } }, { from: bob })
  await review.thread(
    'three',
    { ...time(3), status: { id: 'RESOLVED' } },
    { commentText: 'See {{bob}}', taggedUserContacts: [{ userId: 'bob' }] },
  )
  await review.thread('four', { ...time(4), documentId: 'plan' }, { agent })
  await review.thread(
    'five',
    { ...time(5), suggestion: { newValue: 1 } },
    { agent: { agentId: 'critic', agentSource: 'local' } },
  )
  const commentData = [{ from: ada, commentText: 'Elsewhere' }]
  await review.ok('add', { documentId: 'spec', commentAnnotations: [{ annotationId: 'six', commentData, ...time(6) }] })
})

const ids = async (filters: object) => {
  const { data } = await review.ws.ok('/v2/commentannotations/get', { organizationId: 'acme', ...filters })
  return ungrouped(data).map((thread) => thread?.annotationId ?? null)
}

describe('commentannotations/get', () => {
  test('a thread reads back with its comments, people, place and defaults', async () => {
    expect(await review.read('one')).toEqual({
      annotationId: 'one',
      annotationNumber: 1,
      annotationIndex: 1,
      commentsCount: 1,
      type: 'comment',
      commentType: 'manual',
      from: { ...ada, initial: 'AL' },
      status: { id: 'OPEN', name: 'Open', type: 'default', color: '#625DF5', lightColor: '#E7E8FA' },
      location: { id: 'top' },
      locationId: expect.any(Number),
      visibilityConfig: { type: 'public' },
      customList: [],
      createdAt: 1000,
      lastUpdated: 1500,
      metadata: { apiKey: review.ws.apiKey, documentId: 'plan', organizationId: 'acme' },
      subscribedUsers: {
        [hexId('user', review.ws.apiKey, 'ada')]: { user: { ...ada, initial: 'AL' }, type: 'auto' },
      },
      unsubscribedUsers: {},
      involvedUserIds: ['ada'],
      mentionedUserIds: [],
      viewedByUserIds: ['ada'],
      reactionAnnotationIds: [],
      comments: [
        {
          commentId: 1,
          type: 'text',
          status: 'added',
          from: { ...ada, initial: 'AL' },
          commentText: 'First',
          isCommentTextAvailable: true,
          attachments: [],
          recorders: [],
          customList: [],
          taggedUserContacts: [],
          to: [],
          toOrganizationUserGroup: [],
          reactionAnnotationIds: [],
          createdAt: expect.any(Number),
          lastUpdated: expect.any(Number),
        },
      ],
    })
  })

  test.each<[string, object, (string | null)[]]>([
    ['the last changed first', {}, ['six', 'five', 'four', 'three', 'two', 'one']],
    ['order asc', { order: 'asc' }, ['one', 'two', 'three', 'four', 'five', 'six']],
    ['documentId', { documentId: 'spec' }, ['six']],
    ['documentIds', { documentIds: ['spec', 'plan'] }, ['six', 'five', 'four', 'three', 'two', 'one']],
    ['an empty list means none', { documentIds: [] }, []],
    ['folderId', { folderId: 'f' }, ['six']],
    ['locationIds', { locationIds: ['top'] }, ['one']],
    ['annotationIds, null for each unknown', { annotationIds: ['two', 'x', 'one', 'y'] }, ['two', 'one', null, null]],
    ['userIds: who started threads', { userIds: ['bob'] }, ['two']],
    ['several userIds', { userIds: ['bob', 'ada'], documentId: 'spec' }, ['six']],
    ['mentionedUserIds', { mentionedUserIds: ['bob'] }, ['three']],
    ['statusIds', { statusIds: ['RESOLVED'] }, ['three']],
    ['statusTypes', { statusTypes: ['terminal'] }, ['three']],
    ['several statusTypes', { statusTypes: ['default', 'ongoing'], documentId: 'spec' }, ['six']],
    ['an empty list of statusTypes means none', { statusTypes: [] }, []],
    ['several statusIds', { statusIds: ['RESOLVED', 'OPEN'], documentId: 'spec' }, ['six']],
    ['agentId', { agentId: 'linter' }, ['four']],
    ['executionId', { executionId: 'run-1' }, ['four']],
    ['agentType', { agentType: 'external' }, ['four']],
    ['agentType of another source', { agentType: 'custom' }, ['five']],
    ['agentSource', { agentSource: 'local' }, ['five']],
    ['agentSuggestions', { agentSuggestions: true }, ['five']],
    ['agentComments', { agentComments: true }, ['four']],
    ['updatedAfter and updatedBefore', { updatedAfter: 2500, updatedBefore: 4500 }, ['three']],
    ['createdAfter and createdBefore', { createdAfter: 2000, createdBefore: 4000 }, ['three']],
    ['an unknown organization', { organizationId: 'nowhere' }, []],
    ['an unknown document', { documentId: 'nothing' }, []],
  ])('%s', async (_, filters, expected) => {
    expect(await ids(filters)).toEqual(expected)
  })

  test("statusTypes: a status of one's own counts by its type", async () => {
    const own = await newReview(service)
    for (const [annotationId, status] of Object.entries({
      open: { id: 'OPEN' },
      asked: { id: 'ASKED', type: 'ongoing' },
      waived: { id: 'WAIVED', type: 'terminal' },
    })) {
      await own.thread(annotationId)
      await own.ok('update', { annotationIds: [annotationId], updatedData: { status } })
    }
    const found = async (...statusTypes: string[]) =>
      (await own.threads({ statusTypes })).map((thread) => thread?.annotationId).toSorted()
    expect(await found('default', 'ongoing')).toEqual(['asked', 'open'])
    expect(await found('ongoing')).toEqual(['asked'])
    expect(await found('terminal', 'ongoing')).toEqual(['asked', 'waived'])
    const { status, body } = await own.ws.call('/v2/commentannotations/get', {
      organizationId: 'acme',
      statusTypes: ['done'],
    })
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^statusTypes\[0\] /)])
  })

  test('resolvedBy', async () => {
    const own = await newReview(service)
    await own.thread('a')
    await own.thread('b')
    await own.ok('update', {
      annotationIds: ['a'],
      updatedData: { status: { id: 'RESOLVED' }, resolvedByUserId: 'bob' },
    })
    const found = await own.threads({ resolvedBy: 'bob' })
    expect(found.map((thread) => thread?.annotationId)).toEqual(['a'])
  })

  test('locationId as records show it is a filter too', async () => {
    const { locationId } = await review.read('two')
    expect(await ids({ locationIds: [locationId] })).toEqual(['two'])
  })

  test('groupByDocumentId answers a map', async () => {
    const { data } = await review.ws.ok('/v2/commentannotations/get', {
      organizationId: 'acme',
      groupByDocumentId: true,
    })
    expect(Object.entries(data).map(([id, list]) => [id, list.length])).toEqual([
      ['spec', 1],
      ['plan', 5],
    ])
  })

  test.each(['asc', 'desc'])(
    'pages follow each other without gap or repetition while threads are added (%s)',
    async (order) => {
      const own = await newReview(service)
      for (let i = 0; i < 5; i++) await own.thread(`t${i}`, { createdAt: 1000 + Math.floor(i / 2) })
      const seen: string[] = []
      const listing = { ...at, order, pageSize: 2 }
      for await (const page of pagesOf((next) => own.ws.ok('/v2/commentannotations/get', { ...listing, ...next }))) {
        seen.push(...ungrouped(page).map((thread) => thread?.annotationId ?? ''))
        await own.thread(`new${seen.length}`, { createdAt: order === 'asc' ? 1 : Date.now() + 10_000 })
      }
      expect([...seen].sort()).toEqual(['t0', 't1', 't2', 't3', 't4'])
    },
  )

  test('a page token holds for the default order, whether it is named or not', async () => {
    const first = { organizationId: 'acme', pageSize: 1 }
    const { nextPageToken: pageToken } = await review.ws.ok('/v2/commentannotations/get', first)
    const { status } = await review.ws.call('/v2/commentannotations/get', { ...first, order: 'desc', pageToken })
    expect(status).toBe(200)
    const other = await review.ws.call('/v2/commentannotations/get', { ...first, order: 'asc', pageToken })
    expect(other.body.error.status).toBe('INVALID_ARGUMENT')
  })

  test('a page token of other filters is INVALID_ARGUMENT', async () => {
    const { nextPageToken } = await review.ws.ok('/v2/commentannotations/get', { organizationId: 'acme', pageSize: 1 })
    const { body } = await review.call('get', { pageToken: nextPageToken })
    expect(body.error.status).toBe('INVALID_ARGUMENT')
  })
})

test('with visibleToUserId only threads are returned that the user may see, on every page', async () => {
  const own = await newReview(service)
  await own.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await own.thread('open')
  await own.thread('secret', { visibility: { type: 'restricted', userIds: [] } })
  await own.thread('shared', { visibility: { type: 'restricted', userIds: ['bob'] } })
  await own.thread('members', { visibility: { type: 'organizationPrivate' } })
  await own.thread('fielded', { context: { access: { plan: 'pro' } } })
  const seen = async (visibleToUserId: string, more = {}) =>
    (await own.threads({ visibleToUserId, order: 'asc', ...more })).map((thread) => thread?.annotationId)
  expect(await seen('ada')).toEqual(['open', 'secret', 'shared', 'members'])
  expect(await seen('bob')).toEqual(['open', 'shared'])
  await own.ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ ...bob, accessFields: ['plan:pro'] }] })
  expect(await seen('bob')).toEqual(['open', 'shared', 'members', 'fielded'])
  const page = await own.ws.ok('/v2/commentannotations/get', {
    ...at,
    visibleToUserId: 'ada',
    order: 'desc',
    pageSize: 1,
  })
  expect(await seen('ada', { pageSize: 1, order: 'desc', pageToken: page.nextPageToken })).toEqual(['shared'])
})

test('authors see and count their threads that are private to an organization they are no users of', async () => {
  const own = await newReview(service)
  await own.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await own.thread('mine', { visibility: { type: 'organizationPrivate' } })
  await own.thread('other', { visibility: { type: 'organizationPrivate' } }, { from: bob })
  const seen = await own.threads({ visibleToUserId: 'ada' })
  expect(seen.map((thread) => thread?.annotationId)).toEqual(['mine'])
  const counts = await own.ok('count/get', { documentIds: ['plan'], userId: 'ada' })
  expect(counts).toEqual({ plan: { total: 1, unread: 0 } })
})

describe('commentannotations/count/get', () => {
  test('counts per document the threads that the user may see, and those with comments the user has not seen', async () => {
    const own = await newReview(service)
    await own.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
    await own.thread('open')
    await own.thread('done', { status: { id: 'RESOLVED' } })
    await own.thread('secret', { visibility: { type: 'restricted', userIds: [] } })
    await own.thread('members', { visibility: { type: 'organizationPrivate' } })
    const count = async (userId: string, more = {}) =>
      await own.ok('count/get', { documentIds: ['plan', 'x'], userId, ...more })
    expect(await count('bob')).toEqual({ plan: { total: 2, unread: 2 }, x: { total: 0, unread: 0 } })
    expect((await count('ada')).plan).toEqual({ total: 4, unread: 0 })
    await own.ws.ok('/v2/users/add', { organizationId: 'acme', users: [bob] })
    expect((await count('bob')).plan).toEqual({ total: 3, unread: 3 })
    expect((await count('bob', { statusIds: ['RESOLVED'] })).plan).toEqual({ total: 1, unread: 1 })
    expect((await count('bob', { statusTypes: ['default', 'ongoing'] })).plan).toEqual({ total: 2, unread: 2 })
    await own.ok('update', { annotationIds: ['open'], viewedByUserIds: ['bob'] })
    expect((await count('bob')).plan).toEqual({ total: 3, unread: 2 })
    await own.ok('comments/add', { annotationId: 'open', commentData: [{ from: ada, createdAt: Date.now() + 60_000 }] })
    expect((await count('bob')).plan).toEqual({ total: 3, unread: 3 })
  })

  test('what was added after a view is unread, and what was viewed is read, whatever time comments bear', async () => {
    const own = await newReview(service)
    await own.thread('t')
    const view = () => own.ok('update', { annotationIds: ['t'], viewedByUserIds: ['bob'] })
    const add = (createdAt: number) =>
      own.ok('comments/add', { annotationId: 't', commentData: [{ from: ada, createdAt }] })
    const unread = async () => (await own.ok('count/get', { documentIds: ['plan'], userId: 'bob' })).plan?.unread
    await view()
    expect(await unread()).toBe(0)
    await add(Date.now() - 60_000)
    expect(await unread()).toBe(1)
    expect((await own.read('t')).viewedByUserIds).not.toContain('bob')
    await view()
    await add(Date.now() + 60_000)
    expect(await unread()).toBe(1)
    await view()
    expect(await unread()).toBe(0)
    expect((await own.read('t')).viewedByUserIds).toContain('bob')
  })
})
