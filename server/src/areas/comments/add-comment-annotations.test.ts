import { beforeAll, describe, expect, test } from 'vitest'
import { ungrouped } from '../../../test/answer.ts'
import { ada, at, bob, newReview } from '../../../test/review.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

const ADD = '/v2/commentannotations/add'
const GET = '/v2/commentannotations/get'

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  await ws.ok('/v2/organizations/documents/add', { ...at, documents: [{ documentId: 'plan', documentName: 'Plan' }] })
})

describe('commentannotations/add', () => {
  test('answers per annotation id with the ids of its comments, under v1 too', async () => {
    const commentData = [
      { commentText: 'One', from: ada },
      { commentId: 7, commentText: 'Two', from: bob },
    ]
    const { data, message } = await ws.ok(ADD, { ...at, commentAnnotations: [{ annotationId: 't1', commentData }] })
    expect(message).toBe('Comment Annotation(s) added successfully.')
    expect(data.t1).toEqual({
      success: true,
      annotationId: 't1',
      commentIds: [expect.any(Number), 7],
      message: 'Added Successfully',
    })
    const twin = await ws.ok('/v1/commentannotations/add', { ...at, commentAnnotations: [{ commentData }] })
    expect(Object.keys(twin.data)).toHaveLength(1)
  })

  test('what exists stays as it is and is success: false, the rest is added', async () => {
    const thread = (annotationId: string) => ({ annotationId, commentData: [{ commentText: annotationId, from: ada }] })
    await ws.ok(ADD, { ...at, commentAnnotations: [thread('twice')] })
    const { data } = await ws.ok(ADD, { ...at, commentAnnotations: [thread('twice'), thread('once')] })
    expect([data.twice?.success, data.once?.success]).toEqual([false, true])
  })

  test('threads that are not added take no numbers', async () => {
    const own = await newReview(service)
    const add = (...annotationIds: string[]) => {
      const commentData = [{ commentText: 'Is this right?', from: ada }]
      return own.ok('add', { commentAnnotations: annotationIds.map((annotationId) => ({ annotationId, commentData })) })
    }
    await add('a', 'b')
    const { a, b, c } = await add('b', 'c', 'a')
    expect([a, b, c].map((result) => result?.success)).toEqual([false, false, true])
    await add('a')
    await add('d')
    const numbers = ['a', 'b', 'c', 'd'].map(async (id) => (await own.read(id)).annotationNumber)
    expect(await Promise.all(numbers)).toEqual([1, 2, 3, 4])
  })

  test('of an id repeated in one request the last occurrence wins', async () => {
    const thread = (text: string) => ({ annotationId: 'last', commentData: [{ commentText: text, from: ada }] })
    await ws.ok(ADD, { ...at, commentAnnotations: [thread('a'), thread('b')] })
    const { data } = await ws.ok(GET, { organizationId: 'acme', annotationIds: ['last'] })
    expect(ungrouped(data)[0]?.comments.map((comment) => comment.commentText)).toEqual(['b'])
  })

  test('a field that is not of the operation does not name the thread', async () => {
    const thread = { id: 'foreign', annotationId: 'own', commentData: [{ commentText: 'Mine', from: ada }] }
    const { data } = await ws.ok(ADD, { ...at, commentAnnotations: [thread, { ...thread, annotationId: undefined }] })
    expect(Object.keys(data)).toHaveLength(2)
    expect(data).toMatchObject({ own: { annotationId: 'own' } })
    expect(data).not.toHaveProperty('foreign')
  })

  test('an error about a place that does not exist says how to make it', async () => {
    const commentAnnotations = [{ commentData: [{ commentText: 'Hi', from: ada }] }]
    const message = async (place: object) => (await ws.call(ADD, { ...place, commentAnnotations })).body.error.message
    expect(await message({ organizationId: 'acme', documentId: 'nope' })).toBe(
      'There is no document nope in the organization. Add it with documents/add, or send createDocument: true.',
    )
    expect(await message({ organizationId: 'nowhere', documentId: 'plan' })).toBe(
      'There is no organization nowhere. Add it with organizations/add, or send createOrganization: true.',
    )
  })

  test('an organization or document that does not exist is NOT_FOUND and nothing is written, unless created', async () => {
    const commentAnnotations = [{ annotationId: 'n1', commentData: [{ from: ada, commentText: 'x' }] }]
    for (const place of [
      { organizationId: 'nowhere', documentId: 'plan', createDocument: true },
      { organizationId: 'acme', documentId: 'nothing' },
    ]) {
      const { status, body } = await ws.call(ADD, { ...place, commentAnnotations })
      expect([status, body.error.status]).toEqual([404, 'NOT_FOUND'])
    }
    const place = { organizationId: 'new', documentId: 'new', createOrganization: true, createDocument: true }
    expect((await ws.ok(ADD, { ...place, commentAnnotations })).data.n1?.success).toBe(true)
  })

  test('a thread needs a comment and a comment an author', async () => {
    for (const commentAnnotations of [[{ commentData: [] }], [{}], [{ commentData: [{ commentText: 'x' }] }]]) {
      expect((await ws.call(ADD, { ...at, commentAnnotations })).body.error.status).toBe('INVALID_ARGUMENT')
    }
  })

  test('verifyUserPermissions refuses the threads of users without access, and adds the others', async () => {
    const place = { organizationId: 'acme', documentId: 'secret' }
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'secret' }] })
    await ws.ok('/v2/organizations/documents/access/update', {
      organizationId: 'acme',
      documentIds: ['secret'],
      accessType: 'restricted',
    })
    await ws.ok('/v2/users/add', { ...place, users: [ada] })
    const commentAnnotations = [ada, bob].map((from) => ({
      annotationId: `by-${from.userId}`,
      commentData: [{ from }],
    }))
    const { data } = await ws.ok(ADD, { ...place, verifyUserPermissions: true, commentAnnotations })
    expect(data['by-ada']?.success).toBe(true)
    expect(data['by-bob']).toEqual({ success: false, message: expect.stringContaining('bob') })
  })

  test('private threads need the option of the API key', async () => {
    const own = await newReview(service)
    const visibility = { type: 'restricted', userIds: ['bob'] }
    const commentAnnotations = [{ annotationId: 'p', visibility, commentData: [{ from: ada }] }]
    expect((await own.ws.ok(ADD, { ...at, commentAnnotations })).data.p?.success).toBe(false)
    await own.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
    expect((await own.ws.ok(ADD, { ...at, commentAnnotations })).data.p?.success).toBe(true)
    const { data } = await own.ws.ok(GET, { organizationId: 'acme', annotationIds: ['p'] })
    expect(ungrouped(data)[0]?.visibilityConfig).toEqual({ type: 'restricted', userIds: ['ada', 'bob'] })
    const [added] = await own.events()
    expect(added?.advanced.data.visibility).toEqual({ type: 'restricted', userIds: ['ada', 'bob'] })
  })
})

describe('the events of commentannotations/add', () => {
  test('the first comment of a thread is comment_annotation.add, the others are comment.add, in all three shapes', async () => {
    const own = await newReview(service)
    await own.ws.ok('/v2/users/add', { organizationId: 'acme', users: [bob] })
    const commentData = [
      { commentId: 1, commentText: 'Look {{bob}}', from: ada },
      { commentId: 2, commentText: 'Seen', from: { userId: 'bob' } },
    ]
    const pageInfo = { url: 'https://example.com/p', title: 'Page' }
    await own.ws.ok(ADD, { ...at, commentAnnotations: [{ annotationId: 'e', pageInfo, assignedTo: bob, commentData }] })
    const [first, second, ...more] = await own.events()
    expect(more).toEqual([])
    expect([first?.type, second?.type]).toEqual(['comment_annotation.add', 'comment.add'])
    expect(first).toMatchObject({ organization_id: 'acme', document_id: 'plan' })
    expect(first?.advanced).toMatchObject({
      actionType: 'add',
      source: 'comment',
      platform: 'sdk',
      data: {
        actionUser: ada,
        commentAnnotation: { annotationId: 'e', commentsCount: 2, status: { id: 'OPEN' } },
        targetComment: { commentText: 'Look {{bob}}', taggedUserContacts: [{ userId: 'bob' }] },
        metadata: { apiKey: own.ws.apiKey, organization: { organizationId: 'acme' }, document: { documentId: 'plan' } },
      },
    })
    expect(first?.advanced.data.visibility).toBeUndefined()
    expect(first?.basic).toMatchObject({
      actionType: 'newlyAdded',
      notificationSource: 'comment',
      assigned: true,
      metadata: { clientDocumentId: 'plan', clientOrganizationId: 'acme' },
    })
    expect(second?.basic).toMatchObject({ actionType: 'added', actionUser: { userId: 'bob', name: 'Bob' } })
    expect(first?.processed).toMatchObject({
      from: ada,
      commentText: 'Look {{bob}}',
      toContactsTagged: [{ userId: 'bob' }],
      toContactsUpdated: [],
      pageTitle: 'Page',
      pageUrl: 'https://example.com/p?scommentId=e',
      targetAnnotationId: 'e',
      status: 'OPEN',
    })
    expect(second?.processed).toMatchObject({ targetCommentId: 2, toContactsUpdated: [{ userId: 'ada' }] })
  })

  test('triggerNotification: false suppresses them; that of an item wins', async () => {
    const own = await newReview(service)
    const thread = (annotationId: string, triggerNotification?: boolean) => ({
      annotationId,
      commentData: [{ from: ada, commentText: 'x', triggerNotification }],
    })
    await own.ws.ok(ADD, { ...at, triggerNotification: false, commentAnnotations: [thread('a'), thread('b', true)] })
    await own.ws.ok(ADD, { ...at, commentAnnotations: [thread('c', false)] })
    const told = (await own.events()).map(({ advanced }) => advanced.data.commentAnnotation.annotationId)
    expect(told).toEqual(['b'])
  })

  test('a payload of a long thread shows its first comment, the latest nine, and the true number', async () => {
    const own = await newReview(service)
    const commentData = Array.from({ length: 30 }, (_, i) => ({ from: ada, commentId: i, commentText: `${i}` }))
    await own.ws.ok(ADD, { ...at, commentAnnotations: [{ annotationId: 'long', commentData }] })
    const [first] = await own.events()
    const shown = first?.advanced.data.commentAnnotation
    expect(shown?.comments.map(({ commentId }) => commentId)).toEqual([0, 21, 22, 23, 24, 25, 26, 27, 28, 29])
    expect(shown?.commentsCount).toBe(30)
  })
})
