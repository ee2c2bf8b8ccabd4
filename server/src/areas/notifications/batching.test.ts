import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startConfigured, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

const [ada, bob, cyd] = [{ userId: 'ada' }, { userId: 'bob' }, { userId: 'cyd' }]

beforeAll(async () => {
  // This service has its own clock.
  service = await startConfigured({})
})
afterAll(() => service.app.http.close())

beforeEach(async () => {
  service.clock.stoppedAt = Date.now()
  ws = await newWorkspace(service)
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: [ada, bob, cyd] })
  await ws.ok('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'plan' }, { documentId: 'budget' }],
  })
})

const configure = (notificationServiceConfig: object) =>
  ws.ok('/v2/workspace/notificationconfig/update', { useNotificationService: true, notificationServiceConfig })
const delay = { delayConfig: { isEnabled: true, delaySeconds: 600 } }
const batch = (by: 'document' | 'user', maxActivities: number) => ({
  batchConfig: { [by]: { isEnabled: true, batchWindowSeconds: 60, maxActivities } },
})
const later = (seconds: number) => {
  service.clock.ahead += seconds * 1000
}

/** A thread that mentions users. */
const mention = (annotationId: string, users: object[], documentId = 'plan') => {
  const taggedUserContacts = users.map((contact) => ({ ...contact, contact }))
  const commentData = [{ commentText: 'Look', from: ada, taggedUserContacts }]
  const commentAnnotations = [{ annotationId, commentData }]
  return ws.ok('/v2/commentannotations/add', { organizationId: 'acme', documentId, commentAnnotations })
}
/** A notification of the caller's own. */
const tell = (notificationId: string, user: object) =>
  ws.ok('/v2/notifications/add', {
    organizationId: 'acme',
    documentId: 'plan',
    notificationId,
    actionUser: ada,
    displayHeadlineMessageTemplate: 'Hello',
    displayBodyMessage: 'There',
    notifyAll: false,
    notifyUsers: [user],
  })
const list = async (filter: object) => {
  const { data } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', ...filter })
  return data.map((each) => each.targetAnnotationId).sort()
}
const inbox = (userId = 'bob') => list({ userId })

describe('delay and batches act on the inbox as on emails', () => {
  test('a notification waits for delaySeconds; the list of its document has it at once', async () => {
    await configure(delay)
    await mention('t', [bob])
    expect(await list({ documentId: 'plan' })).toEqual(['t'])
    later(590)
    expect(await inbox()).toEqual([])
    later(11)
    expect(await inbox()).toEqual(['t'])
  })

  test.each([
    ['for its delay', delay, 601],
    ['in a batch', batch('user', 5), 61],
  ])('what waits %s appears as the newest, and no walk from the oldest on passes it', async (_, config, seconds) => {
    const page = (more: object) => ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'bob', ...more })
    await configure(config)
    await mention('held', [bob])
    await tell('first', bob)
    await tell('second', bob)
    const { data: walk, pageToken } = await page({ order: 'asc', pageSize: 1 })
    later(seconds)
    walk.push(...(await page({ order: 'asc', pageSize: 1000, pageToken })).data)
    expect(walk).toMatchObject([{ id: 'first' }, { id: 'second' }, { targetAnnotationId: 'held' }])
    expect((await page({})).data).toEqual(walk.toReversed())
    const [held] = walk.splice(2)
    expect(held?.timestamp).toBeLessThanOrEqual(walk[0]?.timestamp ?? 0)
  })

  test('clearing an inbox deletes what it shows; what it holds back still appears, unless it is named', async () => {
    await configure(delay)
    await mention('shown', [bob])
    later(601)
    await mention('held', [bob])
    await mention('named', [bob])
    const { data } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', documentId: 'plan' })
    const named = data.find((each) => each.targetAnnotationId === 'named')?.id
    await ws.ok('/v2/notifications/delete', { organizationId: 'acme', userId: 'bob' })
    await ws.ok('/v2/notifications/delete', { organizationId: 'acme', userId: 'bob', notificationIds: [named] })
    expect(await inbox()).toEqual([])
    later(601)
    expect(await inbox()).toEqual(['held'])
  })

  test('what happens within batchWindowSeconds appears together, when the window of the first is over', async () => {
    await configure(batch('user', 5))
    await mention('a', [bob])
    later(50)
    await mention('b', [bob, cyd])
    expect([await inbox(), await inbox('cyd')]).toEqual([[], []])
    later(11)
    expect([await inbox(), await inbox('cyd')]).toEqual([['a', 'b'], []])
    await mention('c', [bob])
    expect(await inbox()).toEqual(['a', 'b'])
    later(61)
    expect([await inbox(), await inbox('cyd')]).toEqual([['a', 'b', 'c'], ['b']])
  })

  test('maxActivities ends a batch at once, and the next notification begins another', async () => {
    await configure(batch('user', 2))
    await mention('a', [bob])
    expect(await inbox()).toEqual([])
    await mention('b', [bob])
    expect(await inbox()).toEqual(['a', 'b'])
    await mention('c', [bob])
    expect(await inbox()).toEqual(['a', 'b'])
  })

  test('what appears at once is listed in the order of its events', async () => {
    await configure(batch('user', 6))
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const id of ids) await mention(id, [bob])
    const listed = async (order: 'asc' | 'desc') => {
      const { data } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'bob', order })
      return data.map((each) => each.targetAnnotationId)
    }
    expect([await listed('asc'), await listed('desc')]).toEqual([ids, ids.toReversed()])
  })

  test('with a delay, a batch that is full waits for the delay alone', async () => {
    await configure({ ...delay, ...batch('user', 2) })
    await mention('a', [bob])
    await mention('b', [bob])
    later(601)
    expect(await inbox()).toEqual(['a', 'b'])
    await mention('c', [bob])
    later(601)
    expect(await inbox()).toEqual(['a', 'b'])
    later(60)
    expect(await inbox()).toEqual(['a', 'b', 'c'])
  })

  test('with a delay, a batch takes nothing after its window: all in it wait for the delay', async () => {
    await configure({ ...delay, ...batch('user', 5) })
    await mention('a', [bob])
    later(50)
    await mention('b', [bob])
    later(20)
    await mention('c', [bob])
    later(591)
    expect(await inbox()).toEqual(['a', 'b'])
    later(68)
    expect(await inbox()).toEqual(['a', 'b'])
    later(2)
    expect(await inbox()).toEqual(['a', 'b', 'c'])
  })

  test.each([
    ['document', []],
    ['user', ['a', 'b']],
  ] as const)('batches of a %s', async (by, full) => {
    await configure(batch(by, 2))
    await mention('a', [bob])
    await mention('b', [bob], 'budget')
    expect(await inbox()).toEqual(full)
    later(61)
    expect(await inbox()).toEqual(['a', 'b'])
  })

  test('concurrent changes that fill a batch end it', async () => {
    await configure(batch('user', 4))
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    await Promise.all(ids.map((id) => mention(id, [bob])))
    expect(await inbox()).toEqual(ids)
  })

  test('what the caller adds appears at once', async () => {
    await configure({ ...delay, ...batch('user', 2) })
    await tell('n', bob)
    const { data } = await ws.ok('/v2/notifications/get', { organizationId: 'acme', userId: 'bob' })
    expect(data).toMatchObject([{ id: 'n' }])
  })

  test('whom a notification reaches later than others has it as the newest', async () => {
    await tell('n', cyd)
    await tell('m', bob)
    await tell('n', bob)
    const ids = async (filter: object): Promise<string[]> =>
      (await ws.ok('/v2/notifications/get', { organizationId: 'acme', ...filter })).data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids({ userId: 'bob' })).toEqual(['n', 'm'])
    expect(await ids({})).toEqual(['m', 'n'])
  })
})
