import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { untilWaiting } from '../../../test/until-waiting.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  await ws.ok('/v2/users/add', { organizationId: 'acme', users: ['ada', 'bob', 'cyd'].map((userId) => ({ userId })) })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'plan' }] })
})

const words = { displayHeadlineMessageTemplate: '{actionUser} did it', displayBodyMessage: 'Body' }
const ada = { userId: 'ada' }

const add = (more: object = {}) =>
  ws.ok('/v2/notifications/add', {
    organizationId: 'acme',
    documentId: 'plan',
    actionUser: ada,
    ...words,
    ...more,
  })
const to = (...userIds: string[]) => ({ notifyAll: false, notifyUsers: userIds.map((userId) => ({ userId })) })
const get = async (more: object = {}) =>
  (await ws.ok('/v2/notifications/get', { organizationId: 'acme', ...more })).data
const idsOf = async (more: object = {}) => (await get(more)).map(({ id }) => id)
const remove = async (more: object) =>
  (await ws.ok('/v2/notifications/delete', { organizationId: 'acme', ...more })).data
const failure = async (path: string, data: object) =>
  (await ws.call(path, { organizationId: 'acme', ...data })).body.error

describe('notifications/delete', () => {
  test('deletes the notification; with userId that copy only', async () => {
    await add({ notificationId: 'n', ...to('bob', 'cyd') })
    const done = { success: true, message: 'Notification deleted.' }
    expect(await remove({ userId: 'bob' })).toEqual({ n: done })
    expect([await idsOf({ userId: 'bob' }), await idsOf({ userId: 'cyd' })]).toEqual([[], ['n']])
    expect(await remove({ userId: 'bob', notificationIds: ['n'] })).toEqual({
      n: { success: false, message: 'Failed to delete notification.' },
    })
    expect(await remove({ documentId: 'plan' })).toEqual({ n: done })
    expect(await idsOf({ userId: 'cyd' })).toEqual([])
    expect(await remove({ notificationIds: [] })).toEqual({})
  })

  // The embedded database runs one transaction after the other.
  test.runIf(process.env.TEST_DATABASE === 'postgres')('an id can be deleted while more users get it', async () => {
    await add({ notificationId: 'n', ...to('bob') })
    const { database } = service
    const calls = await database.transaction(async (db) => {
      await db.query(sql`lock table notification_recipient in exclusive mode`)
      const adding = add({ notificationId: 'n', ...to('cyd') })
      await untilWaiting(database, 1)
      const deleting = remove({ notificationIds: ['n'] })
      await untilWaiting(database, 2)
      return { adding, deleting }
    })
    expect((await calls.adding).data.success).toBe(true)
    expect((await calls.deleting).n?.success).toBe(true)
    expect(await idsOf()).toEqual([])
  })

  test('a notification that cannot be deleted has success false', async () => {
    await add({ notificationId: 'n', ...to('bob') })
    const data = await remove({ notificationIds: ['n', 'none'] })
    expect(data.n?.success).toBe(true)
    expect(data.none).toEqual({ success: false, message: 'Failed to delete notification.' })
    const other = await newWorkspace(service)
    await add({ notificationId: 'mine', ...to('bob') })
    const foreign = await other.ok('/v2/notifications/delete', { organizationId: 'acme', notificationIds: ['mine'] })
    expect(foreign.data.mine?.success).toBe(false)
    expect(await idsOf()).toEqual(['mine'])
  })

  test('with the last copy the notification is deleted, also when two users delete theirs at once', async () => {
    await add({ notificationId: 'n', ...to('bob', 'cyd') })
    await remove({ userId: 'bob' })
    expect(await idsOf()).toEqual(['n'])
    await remove({ userId: 'cyd' })
    expect(await idsOf()).toEqual([])
    for (let round = 0; round < 5; round++) {
      await add({ notificationId: `n${round}`, ...to('bob', 'cyd') })
      await Promise.all([remove({ userId: 'bob' }), remove({ userId: 'cyd' })])
      expect(await idsOf()).toEqual([])
    }
  })

  test('needs at least one filter besides organizationId', async () => {
    expect(await failure('/v2/notifications/delete', {})).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'At least one of documentId, locationId, userId or notificationIds must be provided',
    })
  })

  test.each([{ documentId: 'plan' }, { userId: 'bob' }])(
    'touches at most 10,000 per call, else nothing is done: %o',
    async (filter) => {
      await add({ notificationId: 'n', ...to('bob') })
      await service.database.query(sql`
      with copies as (
        insert into notification (api_key, organization_key, key, id, document_key, record, "timestamp")
        select api_key, organization_key, gen_random_uuid(), 'n' || i, document_key, record, "timestamp"
        from notification, generate_series(1, 10000) i
        where api_key = ${ws.apiKey}
        returning *
      )
      insert into notification_recipient (
        api_key, organization_key, notification_key, user_key, person, "timestamp", due_at, for_you)
      select c.api_key, c.organization_key, c.key, r.user_key, r.person, c."timestamp", r.due_at, true
      from copies c, notification_recipient r
      where r.api_key = ${ws.apiKey}`)
      expect((await failure('/v2/notifications/delete', filter)).status).toBe('FAILED_PRECONDITION')
      await remove({ notificationIds: ['n'] })
      expect(Object.keys(await remove(filter))).toHaveLength(10_000)
      expect(await idsOf()).toEqual([])
      // The deletion has analyzed the table; -1 is a table that was never analyzed (PostgreSQL, pg_class.reltuples).
      const [known] = await service.database.query<{ copies: number }>(
        sql`select reltuples as copies from pg_class where relname = 'notification_recipient'`,
      )
      expect(known?.copies).toBeGreaterThan(-1)
    },
    60_000,
  )
})

test('notifications go with their location, document and organization, and follow their location', async () => {
  const credentials = { apiKey: ws.apiKey, authToken: ws.keyHeaders['x-service-auth-token'] }
  const path = '/v1/organizations/documents/locations'
  await add({ notificationId: 'n', location: { id: 'x', page: 1 }, ...to('bob') })
  await add({ notificationId: 'elsewhere', location: { id: 'z' }, ...to('bob') })
  await ws.ok(`${path}/update`, {
    ...credentials,
    documentId: 'plan',
    migrate: { oldLocation: { id: 'x' }, newLocation: { id: 'y' } },
  })
  expect((await get({ locationId: 'y' }))[0]?.metadata.location).toEqual({ id: 'y' })
  await ws.ok(`${path}/data/delete`, { ...credentials, documentId: 'plan', location: { id: 'y' } })
  expect(await idsOf()).toEqual(['elsewhere'])
  await ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
  expect(await idsOf()).toEqual([])
})
