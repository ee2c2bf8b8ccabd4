import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

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

test('recordings are logged when their trigger is on, which by default it is not', async () => {
  await configure({})
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
