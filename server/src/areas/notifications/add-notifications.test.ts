import { beforeAll, beforeEach, expect, test } from 'vitest'
import { rowsInVain } from '../../../test/measuring/explained.ts'
import { at, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService, testDatabase } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Sql, sql, type Transaction } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { migrate } from '../../platform/migrate.ts'
import { deliver } from './deliver.ts'

const { organizationId } = at
let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  const users = ['actor', 'bob', 'cyd'].map((userId) => ({ userId }))
  await review.ws.ok('/v2/users/add', { organizationId, users })
})

const add = async (more: object = {}) => {
  const { data } = await review.ws.ok('/v2/notifications/add', {
    ...at,
    actionUser: { userId: 'actor' },
    displayHeadlineMessageTemplate: 'News',
    displayBodyMessage: 'Text',
    ...more,
  })
  return data
}
const get = async (data: object = {}) => (await review.ws.ok('/v2/notifications/get', { organizationId, ...data })).data

test('notifyAll reads back, true where nothing was sent', async () => {
  await add({ notificationId: 'default' })
  await add({ notificationId: 'all', notifyAll: true })
  await add({ notificationId: 'named', notifyAll: false, notifyUsers: [{ userId: 'bob' }] })
  const byId = Object.fromEntries((await get()).map(({ id, notifyAll }) => [id, notifyAll]))
  expect(byId).toEqual({ default: true, all: true, named: false })
})

test('notifyAll leaves the actor out, unless notifyUsers names the actor', async () => {
  await add()
  expect(await get({ userId: 'bob' })).toHaveLength(1)
  expect(await get({ userId: 'actor' })).toHaveLength(0)
  await add({ notifyUsers: [{ userId: 'actor' }] })
  expect(await get({ userId: 'actor' })).toHaveLength(1)
})

test('an id that exists already says so', async () => {
  const fresh = { success: true, message: 'Notification added successfully.' }
  expect(await add({ notificationId: 'n', notifyAll: false, notifyUsers: [{ userId: 'bob' }] })).toEqual(fresh)
  const message = 'Notification already exists; it reaches only users who never got it.'
  expect(await add({ notificationId: 'n' })).toEqual({ success: true, message })
  expect(await get({ userId: 'cyd' })).toHaveLength(1)
})

test('locationId matches the metadata.locationId of a record, also where only metadata names the location', async () => {
  await add({ notificationId: 'at', location: { id: 'page-1' }, metadata: { locationId: 'elsewhere' } })
  await add({ notificationId: 'named', metadata: { locationId: 'page-1', mine: 1 } })
  await add({ notificationId: 'copied', metadata: (await get({ notificationIds: ['at'] }))[0]?.metadata })
  await add({ notificationId: 'none', metadata: { mine: 1 } })
  const found = await get({ locationId: 'page-1', order: 'asc' })
  expect(found.map(({ id }) => id)).toEqual(['at', 'named', 'copied'])
  expect(found[1]?.metadata).toMatchObject({ mine: 1, location: { id: 'page-1' } })
  const shown = found[1]?.metadata.locationId
  expect(await get({ locationId: shown, order: 'asc' })).toEqual(found)
  expect((await get({ notificationIds: ['none'] }))[0]?.metadata).not.toHaveProperty('locationId')
})

test('a locationId beside a location without an id and a name is not shown, since it leads nowhere', async () => {
  await add({ notificationId: 'beside', metadata: { location: {}, locationId: 'page-1', mine: 1 } })
  await add({ notificationId: 'nameless', location: {}, metadata: { locationId: 4.5, mine: 1 } })
  for (const { metadata } of await get({ notificationIds: ['beside', 'nameless'] })) {
    expect(metadata).toMatchObject({ mine: 1, location: {} })
    expect(metadata).not.toHaveProperty('locationId')
  }
})

const groups = '/v2/organizations/usergroups'
const mention = (annotationId: string, more: object = {}) =>
  review.ok('add', {
    commentAnnotations: [
      {
        annotationId,
        ...more,
        commentData: [
          { from: { userId: 'actor' }, commentText: 'Text', toOrganizationUserGroup: [{ groupId: 'designers' }] },
        ],
      },
    ],
  })

test('mentioning a user group notifies its members who may see the thread, and not the actor', async () => {
  const config = { useNotificationService: true }
  await review.ws.ok('/v2/workspace/notificationconfig/update', config)
  await review.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await review.ws.ok(`${groups}/add`, { organizationId, organizationUserGroups: [{ groupId: 'designers' }] })
  const organizationUserGroupId = 'designers'
  await review.ws.ok(`${groups}/users/add`, { organizationId, organizationUserGroupId, userIds: ['actor', 'bob'] })
  await mention('open')
  expect((await get({ userId: 'bob' })).map(({ forYou }) => forYou)).toEqual([true])
  expect([await get({ userId: 'cyd' }), await get({ userId: 'actor' })]).toEqual([[], []])
  await mention('hidden', { visibility: { type: 'restricted', userIds: ['cyd'] } })
  expect(await get({ userId: 'bob' })).toHaveLength(1)
})

test('notifyAll reaches every member of a large organization once', async () => {
  for (const group of ['a', 'b', 'c']) {
    const users = Array.from({ length: 1_000 }, (_, n) => ({ userId: `${group}${n}` }))
    await review.ws.ok('/v2/users/add', { organizationId, users })
  }
  await add({ notifyUsers: [{ userId: 'b5' }, { userId: 'stranger' }] })
  const copies = await service.database.query<{ person: { userId: string }; for_you: boolean }>(sql`
    select person, for_you from notification_recipient where api_key = ${review.ws.apiKey}`)
  // Three thousand, bob, cyd and the stranger.
  expect(new Set(copies.map(({ person }) => person.userId)).size).toBe(3_003)
  expect(copies).toHaveLength(3_003)
  expect(
    copies
      .filter((copy) => copy.for_you)
      .map(({ person }) => person.userId)
      .sort(),
  ).toEqual(['b5', 'stranger'])
})

test('the copies of new notifications are written without reading those of the API key that were made just before', async () => {
  const database = await testDatabase()
  await migrate(database)
  const organizationKey = keyOf('acme')
  const documentKey = keyOf('plan')
  await database.script(`
    insert into workspace (id, name, owner_id, owner_email, owner_name, token_hash, token_sealed)
      values ('w', 'w', 'w', 'w@example.com', 'w', '', '');
    insert into api_key (id, workspace_id, owner_email, name, type) values ('key', 'w', 'w@example.com', 'k', 'testing');
    insert into organization (api_key, key, id) values ('key', '${organizationKey}', 'acme');
    insert into document (api_key, organization_key, key, id) values ('key', '${organizationKey}', '${documentKey}', 'plan');
    insert into notification (api_key, organization_key, key, id, document_key, record, "timestamp")
      select 'key', '${organizationKey}', md5(n::text)::uuid, n, '${documentKey}', '{}', n
      from generate_series(1, 3000) as n`)
  const deliveries = Array.from({ length: 20 }, (_, n) => ({
    organizationKey,
    documentKey,
    id: `new-${n}`,
    annotationKey: null,
    commentId: null,
    record: {},
    recipients: [{ user: { userId: 'bob' }, forYou: true }],
  }))
  const sent: Sql[] = []
  const db = { send: (statement: Sql) => sent.push(statement) } as unknown as Transaction
  await deliver(db, { apiKey: 'key' } as ApiKeyTenant, deliveries as unknown as Parameters<typeof deliver>[2])
  const inVain = await rowsInVain(database, async (measured) => {
    for (const statement of sent) await measured.query(statement)
  })
  expect(inVain).toBeLessThan(3000)
  expect(await database.query(sql`select from notification_recipient`)).toHaveLength(20)
  await database.close()
})
