import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
})

const place = { organizationId: 'acme', documentId: 'plan' }
const flags = { createOrganization: true, createDocument: true }
const ada = { userId: 'ada', name: 'Ada' }

const configure = (config: object) =>
  ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true, ...config } })
const comment = (commentAnnotation: object = {}, more: object = {}) =>
  ws.ok('/v2/commentannotations/add', {
    ...place,
    ...flags,
    commentAnnotations: [
      { annotationId: 'thread', commentData: [{ commentText: 'hi', from: ada }], ...commentAnnotation },
    ],
    ...more,
  })
const recording = (more: object = {}) =>
  ws.ok('/v2/recordings/add', {
    ...place,
    ...flags,
    recordings: [
      {
        annotationId: 'rec',
        recordingType: 'audio',
        mode: 'thread',
        recordedTime: { duration: 1 },
        attachments: [],
        from: ada,
      },
    ],
    ...more,
  })
const activities = async () => (await ws.ok('/v2/activities/get', { organizationId: 'acme', order: 'asc' })).data

test('a new thread is logged, with its first comment', async () => {
  await configure({})
  await comment()
  expect(await activities()).toMatchObject([
    {
      id: expect.stringMatching(/^act_/),
      featureType: 'comment',
      actionType: 'comment_annotation.add',
      actionUser: ada,
      targetEntityId: 'thread',
      entityData: { annotationId: 'thread', comments: [{ commentText: 'hi' }] },
      displayMessage: 'Ada started a comment thread',
      metadata: { documentId: 'plan', organizationId: 'acme' },
    },
  ])
  expect((await ws.ok('/v2/activities/verify', { organizationId: 'acme' })).data).toMatchObject({
    valid: true,
    count: 1,
  })
})

test('a change of status is logged with what changed', async () => {
  await configure({})
  await comment()
  const status = { id: 'RESOLVED', name: 'Resolved', type: 'terminal' }
  await ws.ok('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['thread'],
    updatedData: { status, resolvedByUserId: 'ada' },
  })
  const changed = (await activities()).find(
    ({ actionType }: { actionType: string }) => actionType === 'comment_annotation.status_change',
  )
  expect(changed).toMatchObject({ targetEntityId: 'thread', changes: { status: { to: { id: 'RESOLVED' } } } })
})

test('nothing is logged while activity logs are off', async () => {
  await comment()
  await configure({ isEnabled: false })
  await comment({ annotationId: 'two' })
  expect(await activities()).toEqual([])
})

test('a trigger that is off keeps its actions out of the log', async () => {
  await configure({ triggers: { comment: { newlyAdded: false } } })
  await comment()
  expect(await activities()).toEqual([])
})

test('triggerActivities: false keeps a write out of the log', async () => {
  await configure({ triggers: { recorder: { done: true } } })
  await comment({}, { triggerActivities: false })
  await recording({ triggerActivities: false })
  expect(await activities()).toEqual([])
})

test('recordings are logged unless their trigger is off', async () => {
  await configure({ triggers: { recorder: { done: false } } })
  await recording()
  await configure({ triggers: { recorder: { done: true } } })
  await ws.ok('/v2/recordings/delete', { organizationId: 'acme', recordingIds: ['rec'] })
  await recording()
  expect(await activities()).toMatchObject([
    {
      featureType: 'recorder',
      actionType: 'recording.delete',
      targetEntityId: 'rec',
      displayMessage: 'API deleted a recording',
    },
    { featureType: 'recorder', actionType: 'recording.add', actionUser: ada, entityData: { annotationId: 'rec' } },
  ])
})

test('triggerActivities true writes the activity whatever the triggers of the config say', async () => {
  await configure({ triggers: { comment: { newlyAdded: false }, recorder: { done: false } } })
  await comment({ annotationId: 'unlogged' })
  await comment({ annotationId: 'logged' }, { triggerActivities: true })
  await recording({ triggerActivities: true })
  expect((await activities()).map(({ targetEntityId }) => targetEntityId)).toEqual(['logged', 'rec'])
})

test('triggerActivities true writes nothing while the service is off', async () => {
  await comment({}, { triggerActivities: true })
  await configure({})
  expect(await activities()).toEqual([])
})

test('a suggestion accepted or rejected is in the activity log by default', async () => {
  await configure({})
  await comment({ type: 'suggestion', suggestion: { targetId: 'x', targetType: 'custom', oldValue: 1, newValue: 2 } })
  await ws.ok('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['thread'],
    updatedData: { suggestion: { status: 'accepted' } },
  })
  expect((await activities()).at(-1)).toMatchObject({ actionType: 'comment_annotation.suggestion_accept' })
})

test('an actor that nobody named is the system, which no filter and no user of that id matches', async () => {
  await configure({})
  await comment()
  const api = { userId: 'api', name: 'A customer called api' }
  await comment({ annotationId: 'by api', commentData: [{ commentText: 'Mine', from: api }] })
  await ws.ok('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['thread'],
    updatedData: { status: { id: 'RESOLVED' } },
  })
  const { data } = await ws.ok('/v2/activities/get', { organizationId: 'acme', order: 'asc' })
  expect(data.at(-1)?.actionUser).toEqual({ userId: 'api', name: 'API', isSystem: true })
  const own = await ws.ok('/v2/activities/get', { organizationId: 'acme', userId: 'api' })
  expect(own.data.map(({ targetEntityId }) => targetEntityId)).toEqual(['by api'])
  await ws.ok('/v2/users/data/delete', { userIds: ['api'], organizationIds: ['acme'] })
  await service.drainJobs()
  const after = await ws.ok('/v2/activities/get', { organizationId: 'acme', order: 'asc' })
  expect(after.data.at(-1)?.actionUser).toEqual({ userId: 'api', name: 'API', isSystem: true })
  expect(JSON.stringify(after.data)).not.toContain('A customer called api')
  expect((await ws.ok('/v2/activities/verify', { organizationId: 'acme' })).data.valid).toBe(true)
})

test('an activity says that an assignee was taken back', async () => {
  await configure({})
  await comment({ assignedTo: { userId: 'bob' } })
  const updatedData = { assignedTo: null }
  await ws.ok('/v2/commentannotations/update', { ...place, annotationIds: ['thread'], actionUser: ada, updatedData })
  const { data } = await ws.ok('/v2/activities/get', { organizationId: 'acme' })
  expect(data[0]).toMatchObject({
    displayMessage: 'Ada unassigned a comment thread',
    changes: { assignedTo: { from: { userId: 'bob' }, to: null } },
  })
})

test('who may see a thread is logged when it changes, not when the same users are named in another order', async () => {
  await configure({})
  await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  await comment()
  const update = (updatedData: object) =>
    ws.ok('/v2/commentannotations/update', { ...place, annotationIds: ['thread'], updatedData })
  const visibility = (...userIds: string[]) => ({ visibility: { type: 'restricted', userIds } })
  const admitted = async () =>
    (await activities())
      .filter(({ actionType }) => actionType === 'comment_annotation.access_mode_change')
      .map(({ changes }) => changes?.visibilityConfig?.to)
  await update(visibility('bob', 'cy'))
  await update(visibility('cy', 'bob', 'ada'))
  await update({ from: { userId: 'bob' } })
  expect(await admitted()).toEqual([{ type: 'restricted', userIds: ['ada', 'bob', 'cy'] }])
  await update(visibility('cy'))
  expect((await admitted()).at(-1)).toEqual({ type: 'restricted', userIds: ['bob', 'cy'] })
})

test('the records of one call repeat a large thread no more than its events do', async () => {
  await configure({})
  await comment({ location: { id: 'here', note: 'x'.repeat(200_000) } })
  const reply = (count: number) =>
    ws.ok('/v2/commentannotations/comments/add', {
      ...place,
      annotationId: 'thread',
      commentData: Array.from({ length: count }, () => ({ commentText: 'hi', from: ada })),
    })
  await reply(1)
  await reply(100)
  const [, alone, ...many] = await activities()
  expect(alone).toMatchObject({ entityTargetData: { annotationId: 'thread', location: { id: 'here' } } })
  expect(many).toHaveLength(100)
  for (const { entityTargetData } of many)
    expect(entityTargetData).toMatchObject({ annotationId: 'thread', isAbridged: true })
  expect(JSON.stringify(many).length).toBeLessThan(1024 * 1024)
})

test('the records of one call repeat a large status no more than its events do', async () => {
  await configure({})
  const ids = Array.from({ length: 50 }, (_, n) => `thread ${n}`)
  const commentData = [{ commentText: 'hi', from: ada }]
  await ws.ok('/v2/commentannotations/add', {
    ...{ ...place, ...flags, triggerActivities: false },
    commentAnnotations: ids.map((annotationId) => ({ annotationId, commentData })),
  })
  const update = (updatedData: object, annotationIds = ids) =>
    ws.ok('/v2/commentannotations/update', { ...place, annotationIds, updatedData })
  await update({ status: { id: 'large', name: 'Large', svg: 'x'.repeat(200_000) } })
  await update({ customList: [{ note: 'x'.repeat(200_000) }] })
  await update({ status: { id: 'OPEN' } }, ids.slice(0, 1))
  const all = await activities()
  expect(all).toHaveLength(101)
  const alone = all.pop()
  expect(alone).toMatchObject({ changes: { status: { from: { svg: expect.any(String) }, to: { id: 'OPEN' } } } })
  for (const { changes, entityData } of all.slice(0, 50)) {
    expect(changes).toMatchObject({
      status: { from: { id: 'OPEN' }, to: { id: 'large', name: 'Large', isAbridged: true } },
    })
    expect(entityData).toMatchObject({ annotationId: expect.any(String), isAbridged: true })
  }
  for (const { changes } of all.slice(50)) expect(changes).toMatchObject({ customList: { to: { isAbridged: true } } })
  expect(JSON.stringify(all).length).toBeLessThan(1024 * 1024)
})

test('the records of one call name at most some 100,000 people: beyond that, they say only that somebody is left out', async () => {
  await configure({})
  await ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
  const ids = Array.from({ length: 110 }, (_, n) => `thread ${n}`)
  const commentData = [{ commentText: 'hi', from: ada }]
  const commentAnnotations = ids.map((annotationId) => ({ annotationId, commentData }))
  await ws.ok('/v2/commentannotations/add', { ...place, ...flags, triggerActivities: false, commentAnnotations })
  // As several calls may have restricted them.
  await service.database.query(sql`
    update comment_annotation
    set record = record || jsonb_build_object('visibilityConfig', jsonb_build_object('type', 'restricted', 'userIds',
      (select jsonb_agg('user' || n) from generate_series(1, 1000) n)))
    where api_key = ${ws.apiKey}`)
  const open = (annotationIds: string[]) =>
    ws.ok('/v2/commentannotations/update', {
      ...place,
      annotationIds,
      updatedData: { visibility: { type: 'public' } },
    })
  await open(ids.slice(0, 2))
  await open(ids.slice(2))
  const from = (await activities()).map(({ changes }) => changes?.visibilityConfig?.from)
  expect(from).toHaveLength(110)
  for (const each of from.slice(0, 2)) expect(each).toMatchObject({ userIds: { length: 1000 } })
  for (const each of from.slice(2)) expect(each).toEqual({ type: 'restricted', userIds: [], isAbridged: true })
})

test('the records of one deletion repeat large recordings no more than events do', async () => {
  await configure({})
  const recordingIds = Array.from({ length: 60 }, (_, n) => `rec ${n}`)
  for (let start = 0; start < recordingIds.length; start += 20) {
    const recordings = recordingIds.slice(start, start + 20).map((annotationId) => ({
      ...{ annotationId, recordingType: 'audio', mode: 'thread', recordedTime: { duration: 1 }, attachments: [] },
      ...{ from: ada, location: { id: 'here', note: 'x'.repeat(200_000) } },
    }))
    await ws.ok('/v2/recordings/add', { ...place, ...flags, triggerActivities: false, recordings })
  }
  await ws.ok('/v2/recordings/delete', { ...place, recordingIds })
  const logged = await activities()
  expect(logged).toHaveLength(60)
  for (const { entityData } of logged)
    expect(entityData).toMatchObject({ annotationId: expect.stringContaining('rec '), from: ada, isAbridged: true })
})
