import type { Api } from '../../client/src/index.ts'
import type { Check } from './check-places.ts'
import { at, type Thread } from './company.ts'
import { allPages, type Expectation } from './expectation.ts'
import { groupBy } from './load.ts'

type Filter = Partial<Parameters<Api['comments']['getCommentAnnotations']>[0]>

export const checkThreads: Check = async (client, organization, expect) => {
  const { organizationId, threads } = organization
  const read = (filter: Filter, pageSize = 1000) =>
    allPages(async (page) => {
      const { data, nextPageToken } = await client.comments.getCommentAnnotations({
        organizationId,
        ...filter,
        ...page,
      })
      return { data: Array.isArray(data) ? data : [], next: nextPageToken }
    }, pageSize)
  const ids = async (filter: Filter) => (await read(filter)).map((thread) => thread?.annotationId ?? 'null')

  const all = await read({}, 100)
  const found = new Map(all.map((thread) => [thread?.annotationId ?? 'null', thread]))
  expect.matches('commentannotations/get of everything', [found.size, all.length], [threads.length, threads.length])
  for (const thread of threads) {
    expect.matches(
      `the thread ${thread.annotationId}`,
      found.get(thread.annotationId),
      toRecord(thread, organizationId),
    )
  }
  checkOrder(
    expect,
    all.map((thread) => thread?.lastUpdated ?? 0),
    -1,
  )
  const ascending = await read({ order: 'asc' }, 100)
  checkOrder(
    expect,
    ascending.map((thread) => thread?.lastUpdated ?? 0),
    1,
  )
  for (const { what, filter, admits } of filtersOf(at(threads, 0))) {
    const written = threads.filter(admits).map(({ annotationId }) => annotationId)
    expect.sameIds(`commentannotations/get ${what}`, await ids(filter), written)
  }
  const known = at(threads, 1).annotationId
  expect.sameIds('an unknown annotation', await ids({ annotationIds: [known, 'unknown'] }), [known, 'null'])
  await checkTimes(
    expect,
    all.map((thread) => thread?.createdAt ?? 0),
    read,
  )
  await checkGroups(client, organizationId, threads, expect)
}

/** Each filter, with the threads that it matches. */
function filtersOf(sample: Thread): { what: string; filter: Filter; admits: (thread: Thread) => boolean }[] {
  const { documentId, folderId } = sample.document
  const author = sample.comments[0]?.from.userId ?? ''
  const mentioned = sample.mentioned?.userId ?? ''
  return [
    { what: 'of a document', filter: { documentId }, admits: ({ document }) => document.documentId === documentId },
    {
      what: 'of documents',
      filter: { documentIds: [documentId, 'unknown'] },
      admits: ({ document }) => document.documentId === documentId,
    },
    {
      what: 'of a folder',
      filter: { folderId: folderId ?? 'unknown' },
      admits: ({ document }) => folderId !== undefined && document.folderId === folderId,
    },
    {
      what: 'at a location',
      filter: { locationIds: ['section-1'] },
      admits: ({ locationId }) => locationId === 'section-1',
    },
    {
      what: 'of an author',
      filter: { userIds: [author] },
      admits: ({ comments }) => comments[0]?.from.userId === author,
    },
    {
      what: 'that mention',
      filter: { mentionedUserIds: [mentioned] },
      admits: (thread) => thread.mentioned?.userId === mentioned,
    },
    { what: 'that are resolved', filter: { statusIds: ['RESOLVED'] }, admits: ({ resolved }) => resolved },
    { what: 'that are open', filter: { statusIds: ['OPEN', 'IN_PROGRESS'] }, admits: ({ resolved }) => !resolved },
    {
      what: 'resolved by',
      filter: { resolvedBy: author },
      admits: ({ resolved, comments }) => resolved && comments[0]?.from.userId === author,
    },
    {
      what: 'at a location of a document that are resolved',
      filter: { documentId, locationIds: ['section-0'], statusIds: ['RESOLVED'] },
      admits: (thread) =>
        thread.document.documentId === documentId && thread.locationId === 'section-0' && thread.resolved,
    },
    { what: 'of no document', filter: { documentIds: [] }, admits: () => false },
  ]
}

function toRecord(thread: Thread, organizationId: string) {
  const { annotationId, document, locationId, comments, mentioned, assigned, priority, resolved, reactedBy } = thread
  const author = comments[0]?.from
  return {
    annotationId,
    from: author,
    location: { id: locationId },
    metadata: { organizationId, documentId: document.documentId },
    status: { id: resolved ? 'RESOLVED' : 'OPEN' },
    ...(resolved && author && { resolvedByUserId: author.userId }),
    ...(assigned && { assignedTo: assigned }),
    ...(priority && { priority: { id: priority } }),
    mentionedUserIds: mentioned ? [mentioned.userId] : [],
    comments: comments.map((comment, n) => ({
      ...comment,
      taggedUserContacts: n === 0 && mentioned ? [{ userId: mentioned.userId }] : [],
      ...(n === 0 && !reactedBy && { reactionAnnotationIds: [] }),
    })),
  }
}

function checkOrder(expect: Expectation, times: number[], direction: 1 | -1): void {
  const sorted = [...times].sort((a, b) => direction * (a - b))
  expect.matches('commentannotations/get in the order of the last change', times, sorted)
}

async function checkTimes(expect: Expectation, times: number[], read: (filter: Filter) => Promise<unknown[]>) {
  const middle = at(
    [...times].sort((a, b) => a - b),
    Math.floor(times.length / 2),
  )
  const after = await read({ createdAfter: middle })
  const before = await read({ createdBefore: middle })
  const counts = [times.filter((time) => time > middle).length, times.filter((time) => time < middle).length]
  expect.matches('commentannotations/get created after and before', [after.length, before.length], counts)
}

async function checkGroups(client: Api, organizationId: string, threads: Thread[], expect: Expectation): Promise<void> {
  const documentIds = [...new Set(threads.map(({ document }) => document.documentId))].slice(0, 3)
  const { data } = await client.comments.getCommentAnnotations({ organizationId, documentIds, groupByDocumentId: true })
  const grouped = Array.isArray(data) ? {} : data
  for (const documentId of documentIds) {
    const written = threads.filter(({ document }) => document.documentId === documentId)
    const found = (grouped[documentId] ?? []).map(({ annotationId }) => annotationId)
    expect.sameIds(`commentannotations/get by document`, found, idsOf(written))
  }
}

const idsOf = (threads: Thread[]) => threads.map(({ annotationId }) => annotationId)

/** The guest takes part in no thread, so everything is unread. */
export const checkCounts: Check = async (client, { organizationId, threads, guest: { userId } }, expect) => {
  const byDocument = groupBy(threads, ({ document }) => document.documentId)
  const documentIds = [...byDocument.keys()]
  const expected = (admits: (thread: Thread) => boolean) =>
    Object.fromEntries(
      [...byDocument].map(([id, own]) => {
        const total = own.filter(admits).length
        return [id, { total, unread: total }]
      }),
    )
  const { data } = await client.comments.countCommentAnnotations({ organizationId, documentIds, userId })
  expect.matches(
    'commentannotations/count/get',
    data,
    expected(() => true),
  )
  const filter = { organizationId, documentIds, userId, statusIds: ['RESOLVED'] }
  const { data: resolved } = await client.comments.countCommentAnnotations(filter)
  expect.matches(
    'commentannotations/count/get of resolved threads',
    resolved,
    expected((thread) => thread.resolved),
  )
}

export const checkComments: Check = async (client, { organizationId, threads }, expect) => {
  for (const { annotationId, document, comments } of threads.filter((_, i) => i % 10 === 0)) {
    const place = { organizationId, documentId: document.documentId, annotationId }
    const { data: all } = await client.comments.getComments(place)
    expect.matches(`comments/get of ${annotationId}`, all, comments)
    const last = at(comments, comments.length - 1)
    const { data: named } = await client.comments.getComments({ ...place, commentIds: [last.commentId, 1] })
    expect.matches('comments/get by id', named, [last, null])
    const { data: own } = await client.comments.getComments({ ...place, userIds: [last.from.userId] })
    expect.matches('comments/get by author', own, [last])
  }
}

export const checkReactions: Check = async (client, { organizationId, threads }, expect) => {
  const written = threads.filter(({ reactedBy }) => reactedBy)
  const all = await allPages(async (page) => {
    const { data, pageToken } = await client.reactions.getReactions({ organizationId, ...page })
    return { data, next: pageToken }
  }, 10)
  expect.sameIds(
    'reactions/get',
    all.map(({ commentAnnotationId }) => commentAnnotationId),
    idsOf(written),
  )
  for (const { annotationId, document, comments, reactedBy } of written.slice(0, 10)) {
    const { data } = await client.reactions.getReactions({
      organizationId,
      documentId: document.documentId,
      annotationId,
    })
    const { commentId } = at(comments, 0)
    const record = { icon: 'HEART_FACE', commentAnnotationId: annotationId, commentId, from: reactedBy }
    expect.matches(`reactions/get of ${annotationId}`, data, [record])
    const { data: named } = await client.reactions.getReactions({
      organizationId,
      reactionIds: data.map((reaction) => reaction.annotationId),
    })
    expect.matches('reactions/get by id', named, [record])
  }
}
