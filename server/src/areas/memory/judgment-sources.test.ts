import { beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

const place = { organizationId: 'acme', documentId: 'plan' }
const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob' }
const APPROVED = { id: 'APPROVED', type: 'terminal' }

let service: Service
let ws: TestWorkspace

beforeEach(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'plan' }] })
})

const judgments = async (data: object = {}) => (await ws.ok('/v2/memory/judgments/query', data)).results
const decisions = async () => (await judgments()).map(({ decision }) => decision)
const text = (from: object, commentText: string, more: object = {}) => ({ from, commentText, ...more })
const addThread = (annotationId: string, commentData: object[], more: object = {}, at: object = place) =>
  ws.ok('/v2/commentannotations/add', { ...at, commentAnnotations: [{ annotationId, commentData, ...more }] })
const update = (annotationId: string, updatedData: object, more: object = {}) =>
  ws.ok('/v2/commentannotations/update', {
    ...place,
    annotationIds: [annotationId],
    updatedData,
    actionUser: ada,
    ...more,
  })

const imported = (more: object = {}) =>
  ws.ok('/v2/memory/judgments/add', {
    ...place,
    judgments: [{ recordId: 'imported', decision: 'approve', reasoning: 'Fine.', actionUser: ada, ...more }],
  })

test('a thread that is added with a terminal status records one, which goes with the thread', async () => {
  await addThread('t', [text(bob, 'Is this price right?'), text(ada, 'Yes.')], { status: APPROVED })
  expect(await decisions()).toEqual(['approved'])
  await addThread('open', [text(bob, 'And this?')])
  expect(await decisions()).toEqual(['approved'])
  await ws.ok('/v2/commentannotations/delete', { ...place, annotationIds: ['t'] })
  expect(await decisions()).toEqual([])
})

test('that of a status change or suggestion goes with its thread; an imported one stays', async () => {
  await addThread('t', [text(bob, 'Is this price right?')])
  await update('t', { status: APPROVED })
  await imported({ annotationId: 't' })
  expect((await decisions()).sort()).toEqual(['approve', 'approved'])
  await ws.ok('/v2/commentannotations/delete', { ...place, annotationIds: ['t'] })
  expect(await decisions()).toEqual(['approve'])
})

test('that of an activity goes when it is deleted or overwritten without a decision', async () => {
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  const record = (id: string, entityData: object) =>
    ws.ok('/v2/activities/add', {
      ...place,
      activities: [
        { id, featureType: 'custom', actionType: 'review', actionUser: ada, targetEntityId: 'e', entityData },
      ],
    })
  await record('a', { decision: 'approve', reasoning: 'Good.' })
  await record('b', { decision: 'reject', reasoning: 'Bad.' })
  await imported()
  expect((await judgments()).map(({ recordId }) => recordId).sort()).toEqual(['a', 'b', 'imported'])
  await record('a', { note: 'undecided' })
  expect((await judgments()).map(({ recordId }) => recordId).sort()).toEqual(['b', 'imported'])
  await ws.ok('/v2/activities/delete', { organizationId: 'acme', activityIds: ['b'] })
  expect((await judgments()).map(({ recordId }) => recordId)).toEqual(['imported'])
  await ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
  expect(await judgments()).toEqual([])
})
