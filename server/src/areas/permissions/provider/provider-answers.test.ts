import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Receiver, type Reply, startReceiver } from '../../../../test/receiver.ts'
import { at, newReview, type Review } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'

const { organizationId, documentId } = at

let service: Service
let provider: Receiver
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  provider = await startReceiver()
  review = await newReview(service)
  const permissionProviderConfig = { permissionProviderUrl: `${provider.url}/check`, authToken: 'provider-token' }
  await review.ws.ok('/v2/workspace/permissionproviderconfig/update', {
    usePermissionProvider: true,
    permissionProviderConfig,
  })
  return () => provider.close()
})

interface Asked {
  userId: string
  resource: { id: string; type: string; source: string; organizationId: string; parentFolderId?: string }
}

/** Makes the provider answer each request by a function of what is asked. */
function answering(entry: (asked: Asked) => object, more: (data: object[]) => object = () => ({})): void {
  provider.respond = ({ body }) => {
    const { requests } = JSON.parse(String(body)).data as { requests: Asked[] }
    const data = requests.map((asked) => ({
      userId: asked.userId,
      resourceId: asked.resource.id,
      type: asked.resource.type,
      organizationId: asked.resource.organizationId,
      ...entry(asked),
    }))
    return { status: 200, body: JSON.stringify({ data, success: true, statusCode: 200, ...more(data) }) }
  }
}

async function check(userId: string, action = 'view') {
  const checks = [{ userId, resource: { type: 'document', id: documentId }, action }]
  const { data } = await review.ws.ok('/v2/auth/permissions/check', { organizationId, checks })
  return data[0]
}

test('the provider decides, in one request for all checks, with its token and the folder of each document', async () => {
  await review.ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId: 'f' }] })
  await review.ws.ok('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'in-f' }],
    folderId: 'f',
  })
  answering(({ userId }) => ({ hasAccess: userId === 'in', accessRole: 'viewer' }))
  const checks = [
    { userId: 'in', resource: { type: 'document', id: documentId }, action: 'comment' },
    { userId: 'in', resource: { type: 'document', id: 'in-f' }, action: 'edit' },
    { userId: 'out', resource: { type: 'folder', id: 'f' }, action: 'view' },
    { userId: 'out', resource: { type: 'organization', id: organizationId }, action: 'view' },
    { userId: 'in', resource: { type: 'document', id: 'nowhere' }, action: 'view' },
  ]
  const { data } = await review.ws.ok('/v2/auth/permissions/check', { organizationId, checks })
  expect(data.map(({ allowed, reason, accessRole }) => [allowed, reason, accessRole])).toEqual([
    [true, 'provider', 'viewer'],
    [false, 'viewer', 'viewer'],
    [false, 'provider', null],
    [false, 'provider', null],
    [false, 'unknown_resource', null],
  ])
  const requests = provider.received()
  expect(requests).toHaveLength(1)
  expect([requests[0]?.url, requests[0]?.headers.authorization]).toEqual(['/check', 'Bearer provider-token'])
  const resource = { source: 'identify', organizationId }
  expect(JSON.parse(String(requests[0]?.body))).toEqual({
    data: {
      requests: [
        { userId: 'in', resource: { id: documentId, type: 'document', ...resource } },
        { userId: 'in', resource: { id: 'in-f', type: 'document', ...resource, parentFolderId: 'f' } },
        { userId: 'out', resource: { id: 'f', type: 'folder', ...resource } },
        { userId: 'out', resource: { id: organizationId, type: 'organization', ...resource } },
      ],
    },
  })
})

test('stored grants and a public document do not widen what the provider says', async () => {
  const resources = [{ type: 'document', id: documentId, organizationId }]
  await review.ws.ok('/v2/auth/permissions/add', { user: { userId: 'u' }, permissions: { resources } })
  answering(() => ({ hasAccess: false }))
  expect(await check('u')).toMatchObject({ allowed: false, reason: 'provider', accessType: 'public' })
})

test('a disabled document admits nobody, and the provider is not asked', async () => {
  answering(() => ({ hasAccess: true }))
  const path = '/v2/organizations/documents/access/disablestate/update'
  await review.ws.ok(path, { organizationId, documentIds: [documentId], disabled: true })
  expect(await check('u')).toMatchObject({ allowed: false, reason: 'disabled' })
  expect(provider.received()).toEqual([])
})

const unavailable: [string, Reply | 'gone'][] = [
  ['answers 500', { status: 500, body: '{}' }],
  ['answers no JSON', { status: 200, body: '<html>' }],
  ['answers no list', { status: 200, body: JSON.stringify({ data: { hasAccess: true } }) }],
  ['answers for another user', { status: 200, body: JSON.stringify({ data: [{ userId: 'v', hasAccess: true }] }) }],
  ['breaks the connection', 'reset'],
  ['is gone', 'gone'],
]
test.each(unavailable)('a provider that %s denies, and is asked again', async (_, reply) => {
  if (reply === 'gone') await provider.close()
  else provider.respond = () => reply
  for (const _ of [1, 2]) {
    expect(await check('u')).toMatchObject({ allowed: false, reason: 'provider_unavailable', accessRole: null })
  }
  if (reply !== 'gone') expect(provider.received()).toHaveLength(2)
})

test.each([
  ['answers many more bytes than were asked for', { hasAccess: true, more: 'x'.repeat(70_000) }, {}],
  ['answers many more values than were asked for', { hasAccess: true, more: Array(10_000).fill(0) }, {}],
  ['says that it failed', { hasAccess: true }, { success: false }],
  ['has a status that says so', { hasAccess: true }, { success: true, statusCode: 403 }],
  ['answers a text for hasAccess', { hasAccess: 'true' }, {}],
  ['answers an unknown role', { hasAccess: true, accessRole: 'owner' }, {}],
  ['answers an unknown end', { hasAccess: true, expiresAt: 'never' }, {}],
  ['answers for another resource', { hasAccess: true, resourceId: 'other' }, {}],
  ['answers for another organization', { hasAccess: true, organizationId: 'other' }, {}],
  ['signs wrongly', { hasAccess: true }, { signature: '0'.repeat(64) }],
  ['answers no text as signature', { hasAccess: true }, { signature: 1 }],
])('a provider that %s denies', async (_, entry, more) => {
  answering(
    () => entry,
    () => more,
  )
  expect(await check('u')).toMatchObject({ allowed: false, reason: 'provider_unavailable' })
})

test('a slow provider denies after five seconds', async () => {
  provider.respond = () => 'hang'
  const started = Date.now()
  expect(await check('u')).toMatchObject({ allowed: false, reason: 'provider_unavailable' })
  expect(Date.now() - started).toBeGreaterThan(4_900)
}, 15_000)

test('a signature made by generate_signature over the answer is accepted', async () => {
  const permissions = [{ userId: 'u', resourceId: documentId, type: 'document', organizationId, hasAccess: true }]
  const { data } = await review.ws.ok('/v2/auth/generate_signature', { permissions })
  const body = JSON.stringify({ data: permissions, success: true, signature: data.signature })
  provider.respond = () => ({ status: 200, body })
  expect(await check('u')).toMatchObject({ allowed: true, reason: 'provider', accessRole: 'editor' })
})

test('an entry of the fields that generate_signature takes is about the organization that was asked about', async () => {
  answering(({ userId }) => ({ hasAccess: userId === 'in', organizationId: undefined }))
  expect(await check('in')).toMatchObject({ allowed: true, reason: 'provider' })
  expect(await check('out')).toMatchObject({ allowed: false, reason: 'provider' })
})

test('an answer is kept until its expiresAt, one without for 60 s', async () => {
  const end = Date.now() + service.clock.ahead + 3_600_000
  answering(({ userId }) => ({ hasAccess: true, ...(userId === 'long' && { expiresAt: end }) }))
  await check('long')
  await check('short')
  await check('short', 'edit')
  expect(provider.received()).toHaveLength(2)
  service.clock.ahead += 61_000
  await check('long')
  await check('short')
  expect(provider.received()).toHaveLength(3)
  service.clock.ahead += 3_600_000
  answering(() => ({ hasAccess: false }))
  expect(await check('long')).toMatchObject({ allowed: false, reason: 'provider' })
})

test('an expiresAt in seconds is understood, as in every operation', async () => {
  const now = Math.floor((Date.now() + service.clock.ahead) / 1000)
  answering(({ userId }) => ({ hasAccess: true, expiresAt: userId === 'ended' ? now - 60 : now + 3_600 }))
  expect(await check('current')).toMatchObject({ allowed: true, reason: 'provider' })
  expect(await check('ended')).toMatchObject({ allowed: false, reason: 'provider' })
})

test('access whose expiresAt has passed is denied', async () => {
  answering(() => ({ hasAccess: true, expiresAt: Date.now() - 1000 }))
  expect(await check('u')).toMatchObject({ allowed: false, reason: 'provider' })
})

test.each([
  ['one that denies', [{ hasAccess: false }, { hasAccess: true }], { allowed: false, accessRole: null }],
  ['the lesser role', [{ accessRole: 'viewer' }, { accessRole: 'editor' }], { allowed: true, accessRole: 'viewer' }],
  ['an end that has passed', [{ expiresAt: 1 }, {}], { allowed: false, accessRole: null }],
])('of several entries about the same, %s counts, in whichever order', async (_, entries, expected) => {
  for (const [user, said] of [entries, entries.toReversed()].entries()) {
    answering(
      () => ({}),
      ([first]) => ({ data: said.map((entry) => ({ ...first, hasAccess: true, ...entry })) }),
    )
    expect(await check(`u${user}`)).toMatchObject({ reason: 'provider', ...expected })
  }
})

test('another address or token asks anew', async () => {
  answering(() => ({ hasAccess: true }))
  await check('u')
  const permissionProviderConfig = { authToken: 'other' }
  await review.ws.ok('/v2/workspace/permissionproviderconfig/update', { permissionProviderConfig })
  await check('u')
  expect(provider.received().map(({ headers }) => headers.authorization)).toEqual([
    'Bearer provider-token',
    'Bearer other',
  ])
})

test('notifications/get of a user shows only documents that the provider admits', async () => {
  await review.ws.ok('/v2/notifications/add', {
    ...at,
    actionUser: { userId: 'a' },
    notifyUsers: [{ userId: 'in' }, { userId: 'out' }],
    notifyAll: false,
    displayHeadlineMessageTemplate: 'News',
    displayBodyMessage: 'Text',
  })
  answering(({ userId }) => ({ hasAccess: userId === 'in' }))
  const shown = async (data: object) =>
    (await review.ws.ok('/v2/notifications/get', { organizationId, ...data })).data.length
  expect([await shown({ userId: 'in' }), await shown({ userId: 'out' }), await shown({})]).toEqual([1, 0, 1])
})

test('users/data/get shows a thread that mentions the user only where the provider admits the user', async () => {
  const commentData = [
    { from: { userId: 'a' }, commentText: 'Text', taggedUserContacts: [{ userId: 'in' }, { userId: 'out' }] },
  ]
  await review.ok('add', { commentAnnotations: [{ annotationId: 't', commentData }] })
  answering(({ userId }) => ({ hasAccess: userId === 'in' }))
  const shown = async (userId: string) =>
    (await review.ws.ok('/v2/users/data/get', { organizationId, userId })).data.comments.length
  expect([await shown('in'), await shown('out'), await shown('a')]).toEqual([1, 0, 1])
})

test('count/get counts for a user only the threads of documents that the provider admits', async () => {
  await review.thread('t')
  answering(({ userId }) => ({ hasAccess: userId === 'in' }))
  const counted = async (userId: string) =>
    (await review.ok('count/get', { documentIds: [documentId, 'x'], userId }))[documentId]
  expect(await counted('in')).toEqual({ total: 1, unread: 1 })
  expect(await counted('out')).toEqual({ total: 0, unread: 0 })
  expect(provider.received()).toHaveLength(2)
})

test('commentannotations/get with visibleToUserId shows only threads of documents that the provider admits', async () => {
  await review.thread('t')
  await review.thread('u')
  answering(({ userId }) => ({ hasAccess: userId === 'in' }))
  const shown = async (data: object) =>
    (await review.ws.ok('/v2/commentannotations/get', { organizationId, order: 'asc', ...data })).data.length
  expect([await shown({ visibleToUserId: 'in' }), await shown({ visibleToUserId: 'out' })]).toEqual([2, 0])
  expect([await shown({ visibleToUserId: 'out', pageSize: 1 }), await shown({})]).toEqual([0, 2])
  expect(provider.received()).toHaveLength(2)
})

test('verifyUserPermissions keeps to stored grants: the provider is not asked in a transaction', async () => {
  provider.respond = () => 'hang'
  const commentData = [{ from: { userId: 'u' }, commentText: 'Text' }]
  const data = await review.ok('add', {
    verifyUserPermissions: true,
    commentAnnotations: [{ annotationId: 't', commentData }],
  })
  expect(data).toMatchObject({ t: { success: true } })
  await sleep(50)
  expect(provider.received()).toEqual([])
})

test('requests to providers are counted by outcome', async () => {
  answering(() => ({ hasAccess: true }))
  await check('counted')
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toMatch(/permission_provider_requests_total\{outcome="answered"\} [1-9]/)
})
