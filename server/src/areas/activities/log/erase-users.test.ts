import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { eraseUsers } from './erase-users.ts'
import { ERASED_NAME } from './redact.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
})

const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob' }

const add = (activities: object[], organizationId = 'acme') =>
  ws.ok('/v2/activities/add', {
    organizationId,
    documentId: 'plan',
    createOrganization: true,
    createDocument: true,
    activities,
  })
const get = async (more: object = {}) =>
  (await ws.ok('/v2/activities/get', { organizationId: 'acme', order: 'asc', ...more })).data
const verify = async () => (await ws.ok('/v2/activities/verify', { organizationId: 'acme' })).data

async function eraseAll(userId: string, organizationKeys?: string[]): Promise<number> {
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const step = () =>
    service.database.transaction((db) =>
      eraseUsers(
        { db, tenant, secrets: service.app.services.secrets },
        { userKeys: [keyOf(userId)], organizationKeys },
      ),
    )
  let steps = 0
  while (await step()) steps++
  return steps
}

const everything = async () =>
  JSON.stringify(await service.database.query(sql`select * from activity_entry where api_key = ${ws.apiKey}`))

test('an erased user is gone from every version, and the log stays verifiable', async () => {
  const comment = {
    featureType: 'comment',
    actionType: 'comment.add',
    displayMessageTemplate: '{{actionUser.name}} wrote',
  }
  await add([
    { id: 'own', ...comment, actionUser: ada, entityData: { from: ada, commentText: 'secret', commentId: 7 } },
    { id: 'other', ...comment, actionUser: bob, entityData: { from: bob, commentText: 'kept', assignedTo: ada } },
    {
      id: 'free',
      featureType: 'custom',
      actionType: 'x',
      targetEntityId: 't',
      actionUser: ada,
      entityData: { note: 'secret' },
    },
  ])
  await add([{ id: 'own', ...comment, actionUser: ada, changes: { commentText: { from: 'secret', to: 'public' } } }])
  await eraseAll('ada')
  expect(await everything()).not.toMatch(/\b(ada|Lovelace|secret)\b/i)
  const [own, other, free] = await get()
  expect(own).toMatchObject({
    actionUser: { userId: expect.stringMatching(/^erased_[0-9a-f]{32}$/), name: ERASED_NAME },
    changes: {},
    displayMessage: `${ERASED_NAME} wrote`,
  })
  expect(other).toMatchObject({
    actionUser: bob,
    entityData: { from: bob, commentText: 'kept', assignedTo: own?.actionUser },
  })
  expect(free).toMatchObject({ actionType: 'x', targetEntityId: 't', actionUser: own?.actionUser })
  expect(free).not.toHaveProperty('entityData')
  expect(await get({ userId: own?.actionUser.userId })).toHaveLength(2)
  expect(await get({ userId: 'ada' })).toEqual([])
  expect(await verify()).toMatchObject({ valid: true, count: 5 })
})

test('erasing two users one after the other leaves the log verifiable', async () => {
  await add([{ id: 'a', featureType: 'comment', actionType: 'x', actionUser: ada, entityData: { from: bob } }])
  await eraseAll('ada')
  await eraseAll('bob')
  expect(await everything()).not.toMatch(/"(ada|bob)"/)
  expect(await verify()).toMatchObject({ valid: true, count: 3 })
})

test('an erased record can be overwritten, updated and deleted', async () => {
  const record = { id: 'a', featureType: 'comment', actionType: 'x', actionUser: ada }
  await add([record, { ...record, id: 'b' }])
  await eraseAll('ada')
  await add([record])
  await ws.ok('/v2/activities/update', { organizationId: 'acme', activities: [{ id: 'b', actionIcon: 'pen' }] })
  await ws.ok('/v2/activities/delete', { organizationId: 'acme', activityIds: ['b'] })
  expect(await verify()).toMatchObject({ valid: true })
  await eraseAll('ada')
  expect(await verify()).toMatchObject({ valid: true })
})

test('many entries are erased in several steps, in the organizations given or in all', async () => {
  const records = Array.from({ length: 250 }, (_, i) => ({
    id: `a${i}`,
    featureType: 'comment',
    actionType: 'x',
    actionUser: ada,
  }))
  await add(records)
  await add(records.slice(0, 1), 'beta')
  expect(await eraseAll('ada', [keyOf('acme')])).toBe(2)
  expect(await get({ userId: 'ada' })).toEqual([])
  expect(await get({ userId: 'ada', organizationId: 'beta' })).toHaveLength(1)
  expect(await eraseAll('ada')).toBe(1)
  expect(await get({ userId: 'ada', organizationId: 'beta' })).toEqual([])
  expect(await verify()).toMatchObject({ valid: true, count: 252 })
})

test('somebody whom no entry names leaves no trace', async () => {
  await add([{ id: 'a', featureType: 'comment', actionType: 'x', actionUser: ada }])
  expect(await eraseAll('nobody')).toBe(0)
  expect(await verify()).toMatchObject({ count: 1 })
})
