import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

const place = { organizationId: 'acme', documentId: 'plan' }
const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
})

const configure = (config: object) =>
  ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true, ...config } })

const activity = (id?: string, more: object = {}) => ({
  ...(id !== undefined && { id }),
  featureType: 'custom',
  actionType: 'contract.sign',
  actionUser: ada,
  targetEntityId: 'contract-1',
  ...more,
})

const add = (activities: object[], more: object = {}) =>
  ws.ok('/v2/activities/add', { ...place, createOrganization: true, createDocument: true, activities, ...more })

const get = (more: object = {}) => ws.ok('/v2/activities/get', { organizationId: 'acme', ...more })

const ids = (activities: { id: string }[]) => activities.map(({ id }) => id)

const history = () =>
  service.database.query<{ position: number; kind: string; id: string }>(sql`
    select position, kind, activity_id as id from activity_entry where api_key = ${ws.apiKey} order by position`)

describe('activities/add', () => {
  test('while activity logs are not enabled it is FAILED_PRECONDITION', async () => {
    const data = { ...place, activities: [activity()] }
    const never = await ws.call('/v2/activities/add', data)
    expect([never.status, never.body.error.status]).toEqual([400, 'FAILED_PRECONDITION'])
    await configure({ isEnabled: false })
    expect((await ws.call('/v2/activities/add', data)).body.error.status).toBe('FAILED_PRECONDITION')
  })

  describe('while they are enabled', () => {
    beforeEach(() => configure({}))

    test('answers one { success, message }', async () => {
      const { data } = await add([activity('a1')])
      expect(data).toEqual({ success: true, message: 'Activity(s) added successfully.' })
    })

    test('what was added is read as it was sent, with id, metadata and timestamp', async () => {
      const sent = activity('a1', {
        targetSubEntityId: 'clause-2',
        changes: { state: { from: 'draft', to: 'signed' }, note: { to: null } },
        entityData: [1, { deep: { __proto__x: true } }, 'text'],
        entityTargetData: null,
        displayMessageTemplate: '{{actionUser.name}} signed {{contract.name}} {{missing}}<b>',
        displayMessageTemplateData: { contract: { name: '<i>NDA</i>' } },
        actionIcon: 'https://cdn.example/pen.svg',
        isActivityResolverUsed: true,
      })
      await add([sent])
      const { data, message, pageToken } = await get()
      expect([message, pageToken]).toEqual(['Activity(s) retrieved successfully.', null])
      expect(data).toEqual([
        {
          ...sent,
          displayMessage: 'Ada signed <i>NDA</i> <b>',
          timestamp: expect.any(Number),
          metadata: { apiKey: ws.apiKey, documentId: 'plan', organizationId: 'acme' },
        },
      ])
    })

    test('a record without an id gets one: act_…', async () => {
      await add([activity(), activity()])
      const [one, two] = ids((await get()).data)
      expect(one).toMatch(/^act_/)
      expect(one).not.toBe(two)
    })

    test('keys such as __proto__ are ordinary data', async () => {
      const entityData = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
      await add([activity('__proto__', { entityData })])
      const [read] = (await get({ activityIds: ['__proto__'] })).data
      expect(JSON.stringify(read?.entityData)).toBe('{"__proto__":{"a":1},"constructor":2}')
    })

    test('the same id overwrites the record, also in an immutable log, and the version stays in the history', async () => {
      await configure({ immutable: true })
      await add([activity('a1', { actionIcon: 'old' }), activity('a2')])
      const before = (await get({ activityIds: ['a1'] })).data[0]
      await add([activity('a1', { actionType: 'contract.revoke' })], { documentId: 'annex' })
      const { data } = await get({ order: 'asc' })
      expect(ids(data)).toEqual(['a1', 'a2'])
      expect(data[0]).toMatchObject({ actionType: 'contract.revoke', metadata: { documentId: 'annex' } })
      expect(data[0]).not.toHaveProperty('actionIcon')
      expect(data[0]?.timestamp).toBe(before?.timestamp)
      expect((await history()).map(({ kind, id }) => [kind, id])).toEqual([
        ['add', 'a1'],
        ['add', 'a2'],
        ['overwrite', 'a1'],
      ])
    })

    test('an id repeated in one request is written once, the last occurrence wins', async () => {
      await add([activity('a1', { actionType: 'one' }), activity('a1', { actionType: 'two' })])
      expect((await get()).data).toMatchObject([{ id: 'a1', actionType: 'two' }])
      expect(await history()).toHaveLength(1)
    })

    test.each([
      [{ featureType: 'email' }, 'activities[1].featureType must be one of comment, reaction, recorder, crdt, custom'],
      [{ actionType: undefined }, 'activities[1].actionType is required'],
      [{ actionUser: undefined }, 'activities[1].actionUser is required'],
      [{ actionUser: { name: 'Ada' } }, 'activities[1].actionUser.userId is required'],
      [{ targetEntityId: undefined }, 'activities[1].targetEntityId is required when featureType is custom'],
      [{ changes: { state: 'signed' } }, 'activities[1].changes.state must be an object'],
      [{ displayMessageTemplateData: 'x' }, 'activities[1].displayMessageTemplateData must be an object'],
      [{ isActivityResolverUsed: 'yes' }, 'activities[1].isActivityResolverUsed must be a boolean'],
    ])('a malformed record %j fails the whole request with its path, nothing written', async (change, message) => {
      await add([])
      const answer = await ws.call('/v2/activities/add', { ...place, activities: [activity(), activity('x', change)] })
      expect([answer.status, answer.body.error.message]).toEqual([400, message])
      expect((await get()).data).toEqual([])
    })

    test('targetEntityId is required of custom records alone', async () => {
      await add([activity('a1', { featureType: 'comment', targetEntityId: undefined })])
      expect(ids((await get()).data)).toEqual(['a1'])
    })

    test('needs an existing organization and document, or the flags that create them', async () => {
      const missing = await ws.call('/v2/activities/add', { ...place, activities: [activity()] })
      expect([missing.status, missing.body.error.status]).toEqual([404, 'NOT_FOUND'])
      expect((await get()).data).toEqual([])
    })

    test('1,000 records of one request are one unbroken chain', async () => {
      await add(Array.from({ length: 1000 }, (_, i) => activity(`a${i}`)))
      expect((await get()).data).toHaveLength(1000)
      expect((await ws.ok('/v2/activities/verify', { organizationId: 'acme' })).data).toMatchObject({
        valid: true,
        count: 1000,
      })
    })
  })
})

describe('activities/get', () => {
  beforeEach(async () => {
    await configure({})
    await add([activity('a'), activity('b', { actionUser: { userId: 'bob' }, actionType: 'contract.read' })])
    await add([activity('c', { featureType: 'comment', targetEntityId: 'thread-1' })], { documentId: 'annex' })
  })

  test.each<[filter: object, found: string[]]>([
    [{}, ['c', 'b', 'a']],
    [{ order: 'asc' }, ['a', 'b', 'c']],
    [{ documentId: 'plan' }, ['b', 'a']],
    [{ targetEntityId: 'thread-1' }, ['c']],
    [{ featureTypes: ['comment', 'crdt'] }, ['c']],
    [{ featureTypes: [] }, []],
    [{ actionTypes: ['contract.read'] }, ['b']],
    [{ userId: 'ada', documentId: 'plan' }, ['a']],
    [{ activityIds: ['c', 'a', 'nobody'] }, ['c', 'a']],
    [{ activityIds: [] }, []],
    [{ documentId: 'nowhere' }, []],
    [{ organizationId: 'nowhere' }, []],
  ])('%j finds %j', async (filter, found) => {
    expect(ids((await get(filter)).data)).toEqual(found)
  })

  test('pages by pageToken without loss or repetition while records are added and overwritten', async () => {
    const first = await get({ order: 'asc', pageSize: 2 })
    expect(ids(first.data)).toEqual(['a', 'b'])
    await add([activity('a'), activity('d')])
    const second = await get({ order: 'asc', pageSize: 2, pageToken: first.pageToken })
    expect([ids(second.data), second.pageToken]).toEqual([['c', 'd'], null])
    const latest = await get({ pageSize: 3 })
    expect(ids((await get({ pageSize: 3, pageToken: latest.pageToken })).data)).toEqual(['a'])
  })

  test('a page token of another order or filter is INVALID_ARGUMENT', async () => {
    const { pageToken } = await get({ pageSize: 1 })
    for (const other of [{ order: 'asc' }, { userId: 'ada' }]) {
      const { body } = await ws.call('/v2/activities/get', { organizationId: 'acme', pageToken, ...other })
      expect(body.error.details.issues[0].path).toBe('pageToken')
    }
  })

  test('pageSize is at least 1', async () => {
    const { body } = await ws.call('/v2/activities/get', { organizationId: 'acme', pageSize: 0 })
    expect(body.error.details.issues).toEqual([{ path: 'pageSize', message: 'must be at least 1' }])
  })
})

describe('activities/update', () => {
  beforeEach(() => configure({}))

  const update = (activities: object[]) => ws.ok('/v2/activities/update', { organizationId: 'acme', activities })

  test('changes what is sent, keeps the rest, and says success: false of what is not found', async () => {
    await add([activity('a1', { entityData: { v: 1 }, actionIcon: 'pen' })])
    const { data } = await update([
      { id: 'a1', entityData: { v: 2 }, displayMessageTemplate: 'v{{v}}', displayMessageTemplateData: { v: 2 } },
      { id: 'a2', actionIcon: 'x' },
    ])
    expect(data).toEqual({
      a1: { success: true, message: 'Activity updated.' },
      a2: { success: false, message: expect.stringMatching(/^Failed to update activity\./) },
    })
    const sent = {
      actionUser: ada,
      targetEntityId: 'contract-1',
      actionIcon: 'pen',
      entityData: { v: 2 },
      displayMessage: 'v2',
    }
    expect((await get()).data).toMatchObject([sent])
    expect((await history()).map(({ kind }) => kind)).toEqual(['add', 'update'])
  })

  test('in an immutable log each item is success: false', async () => {
    await add([activity('a1')])
    await configure({ immutable: true })
    const { data } = await update([{ id: 'a1', actionIcon: 'x' }])
    expect(data.a1?.success).toBe(false)
    expect((await get()).data[0]).not.toHaveProperty('actionIcon')
  })

  test('of an unknown organization each item is success: false', async () => {
    expect((await update([{ id: 'a1' }])).data.a1?.success).toBe(false)
  })
})

describe('activities/delete', () => {
  beforeEach(async () => {
    await configure({})
    await add([activity('a'), activity('b', { targetEntityId: 'contract-2' })])
    await add([activity('c')], { documentId: 'annex' })
  })

  const remove = async (filter: object) =>
    (await ws.ok('/v2/activities/delete', { organizationId: 'acme', ...filter })).data

  test.each<[filter: object, left: string[]]>([
    [{ activityIds: ['a'] }, ['c', 'b']],
    [{ documentId: 'plan' }, ['c']],
    [{ targetEntityId: 'contract-1' }, ['b']],
    [{ targetEntityId: 'contract-1', documentId: 'annex' }, ['b', 'a']],
    [{ activityIds: [] }, ['c', 'b', 'a']],
  ])('%j leaves %j', async (filter, left) => {
    await remove(filter)
    expect(ids((await get()).data)).toEqual(left)
  })

  test('answers a result per id; what is not found is success: false', async () => {
    expect(await remove({ activityIds: ['a', 'nobody'] })).toEqual({
      a: { success: true, message: 'Activity deleted.' },
      nobody: { success: false, message: expect.stringMatching(/^Failed to delete activity\./) },
    })
    expect((await remove({ activityIds: ['a'] })).a?.success).toBe(false)
  })

  test('needs a filter besides the organization', async () => {
    const { status, body } = await ws.call('/v2/activities/delete', { organizationId: 'acme' })
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  })

  test('in an immutable log each item is success: false', async () => {
    await configure({ immutable: true })
    expect(await remove({ documentId: 'plan' })).toMatchObject({ a: { success: false }, b: { success: false } })
    expect(ids((await get()).data)).toEqual(['c', 'b', 'a'])
  })

  test('a deleted record can be added anew', async () => {
    await remove({ activityIds: ['a'] })
    await add([activity('a')])
    expect(ids((await get()).data)).toEqual(['a', 'c', 'b'])
    expect((await history()).at(-1)).toMatchObject({ kind: 'add', id: 'a' })
  })

  test('records stay when their document is deleted, and go with their organization', async () => {
    await ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
    expect(ids((await get()).data)).toEqual(['c', 'b', 'a'])
    await ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
    expect((await get()).data).toEqual([])
    expect(await history()).toEqual([])
  })
})
