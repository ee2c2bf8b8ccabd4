import { beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { keyOf } from '../../platform/id.ts'
import { forgetJudgmentsOfUsers } from './user-judgments.ts'

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

describe('a change of status', () => {
  const talk = [
    text(bob, 'Is this price right?'),
    text(ada, 'I will check.'),
    text(ada, 'It is right.'),
    text(bob, 'Ok.'),
  ]

  test('to a terminal one is remembered, with the latest comment of who decided and the first of the thread', async () => {
    await addThread('t', talk)
    expect(await judgments()).toEqual([])
    await update('t', { status: { id: 'RESOLVED' } })
    expect(await judgments({ organizationId: 'acme', annotationId: 't' })).toEqual([
      {
        recordId: expect.stringMatching(/^act_/),
        decision: 'resolve',
        reasoning: 'It is right.',
        confidence: 1,
        actionUser: ada,
        judgeType: 'human',
        agent: null,
        contentType: 'comment',
        createdAt: expect.any(Number),
        ...place,
      },
    ])
    const found = await ws.ok('/v2/memory/search', { query: 'price', embeddingType: 'content' })
    expect(found.results).toHaveLength(1)
  })

  test.each([
    [{ id: 'RESOLVED' }, 'resolve'],
    [{ id: 'IN_PROGRESS' }, 'in_progress'],
    [{ id: 'Waiting', type: 'ongoing' }, 'in_progress'],
    [APPROVED, 'approved'],
    [{ id: 'Reject', type: 'terminal' }, 'reject'],
    [{ id: 'DOCUMENT_REJECTED', type: 'terminal' }, 'document_rejected'],
    [{ id: 'Endorse', type: 'terminal' }, 'endorse'],
    [{ id: 'WONTFIX', type: 'terminal' }, 'resolve'],
  ])('to %j is the decision %s', async (status, decision) => {
    await addThread('t', talk)
    await update('t', { status })
    expect(await decisions()).toEqual([decision])
  })

  test('of a thread without a text is about the text of its HTML, however many tags that leaves open', async () => {
    await addThread('t', [{ from: bob, commentHtml: `<p>Is this right?</p>${'<'.repeat(200_000)}` }])
    await update('t', { status: APPROVED })
    const { results } = await ws.ok('/v2/memory/search', { query: 'right', embeddingType: 'content' })
    expect(results).toHaveLength(1)
  })

  test('of a thread whose text is empty is about the text of its HTML', async () => {
    await addThread('t', [{ from: ada, commentText: '', commentHtml: '<p>Yes, it is right.</p>' }])
    await update('t', { status: APPROVED })
    expect(await judgments()).toMatchObject([{ reasoning: 'Yes, it is right.' }])
    const { results } = await ws.ok('/v2/memory/search', { query: 'right', embeddingType: 'content' })
    expect(results).toHaveLength(1)
  })

  test('to one that is neither terminal nor ongoing is no decision', async () => {
    await addThread('t', talk)
    await update('t', { status: { id: 'PARKED' } })
    expect(await judgments()).toEqual([])
  })

  test('is remembered once: not again for the same status, nor for a repeated request', async () => {
    await addThread('t', talk)
    const path = '/v2/commentannotations/update'
    const data = { ...place, annotationIds: ['t'], updatedData: { status: APPROVED }, actionUser: ada }
    const headers = { ...ws.keyHeaders, 'idempotency-key': 'once' }
    await Promise.all([1, 2, 3].map(() => service.call(path, data, headers)))
    await Promise.all([1, 2, 3].map(() => ws.ok(path, data)))
    expect(await decisions()).toEqual(['approved'])
    await update('t', { status: { id: 'OPEN' } })
    await update('t', { status: APPROVED })
    expect(await decisions()).toEqual(['approved', 'approved'])
  })

  test('is remembered with triggerNotification and triggerActivities false too', async () => {
    await addThread('t', talk)
    await update('t', { status: APPROVED }, { triggerNotification: false, triggerActivities: false })
    expect(await decisions()).toEqual(['approved'])
  })

  test('without a named actor has no reviewer, and a failed update leaves nothing', async () => {
    await addThread('t', talk)
    await ws.call('/v2/commentannotations/update', { ...place, documentId: 'x', updatedData: { status: APPROVED } })
    expect(await judgments()).toEqual([])
    await update('t', { status: APPROVED }, { actionUser: undefined })
    expect(await judgments()).toEqual([expect.objectContaining({ actionUser: { name: 'API' }, reasoning: '' })])
    const { results } = await ws.ok('/v2/memory/search', { query: 'price', filters: { reviewerId: 'api' } })
    expect(results).toEqual([])
  })

  test('by an agent says which', async () => {
    const agent = { agentId: 'linter', executionId: 'run-1', agentName: 'Linter' }
    await addThread('t', [text(bob, 'Check this.'), text(ada, 'It is clean.', { agent })])
    await update('t', { status: APPROVED })
    const decided = {
      agentId: 'linter',
      agentType: 'custom',
      executionId: 'run-1',
      agentFields: { agentName: 'Linter' },
    }
    expect(await judgments({ judgeType: 'agent' })).toMatchObject([{ agent: decided, reasoning: 'It is clean.' }])
  })
})

describe('an activity', () => {
  beforeEach(() => ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } }))

  const activity = (id: string, more: object) => ({
    id,
    featureType: 'custom',
    actionType: 'contract.review',
    actionUser: ada,
    targetEntityId: 'contract-1',
    ...more,
  })
  const add = (activities: object[], organizationId = 'acme') =>
    ws.ok('/v2/activities/add', {
      ...place,
      organizationId,
      createOrganization: true,
      createDocument: true,
      activities,
    })

  test('that carries a decision in entityData is remembered under its id', async () => {
    const entityData = {
      decision: 'endorse',
      reasoning: 'Terms are standard.',
      content: 'Supply contract',
      confidence: 0.5,
    }
    await add([
      activity('act_1', { entityData }),
      activity('act_2', { entityData: { decision: 7 } }),
      activity('act_3', {}),
    ])
    expect(await judgments()).toMatchObject([
      {
        recordId: 'act_1',
        decision: 'endorse',
        reasoning: 'Terms are standard.',
        confidence: 0.5,
        actionUser: ada,
        contentType: 'custom',
        ...place,
      },
    ])
  })

  test('that carries a decision in changes is remembered too, also by an agent', async () => {
    const agent = { agentId: 'reviewer', agentType: 'external', model: 'm' }
    await add([activity('act_1', { changes: { decision: { from: null, to: 'rejected' } }, entityData: { agent } })])
    const decided = { agentId: 'reviewer', agentType: 'external', agentFields: { model: 'm' } }
    expect(await judgments()).toMatchObject([
      { recordId: 'act_1', decision: 'rejected', judgeType: 'agent', agent: decided },
    ])
  })

  test('that is overwritten or updated stays one judgment', async () => {
    await add([activity('act_1', { entityData: { decision: 'approve' } })])
    await add([activity('act_1', { entityData: { decision: 'reject' } })])
    expect(await decisions()).toEqual(['reject'])
    const changed = { id: 'act_1', entityData: { decision: 'agree', reasoning: 'After all.' } }
    await ws.ok('/v2/activities/update', { organizationId: 'acme', activities: [changed] })
    expect(await judgments()).toMatchObject([{ recordId: 'act_1', decision: 'agree', reasoning: 'After all.' }])
  })

  test('of the same id in another organization is another judgment', async () => {
    await add([activity('same', { entityData: { decision: 'approve' } })])
    await add([activity('same', { entityData: { decision: 'reject' } })], 'beta')
    await add([activity('same', { entityData: { decision: 'disagree' } })], 'beta')
    expect(await judgments({ organizationId: 'acme' })).toMatchObject([{ recordId: 'same', decision: 'approve' }])
    expect(await judgments({ organizationId: 'beta' })).toMatchObject([{ decision: 'disagree' }])
    expect(await decisions()).toHaveLength(2)
  })

  test('that the service records of a change of status makes no second judgment', async () => {
    await addThread('t', [text(bob, 'Fine?')])
    await update('t', { status: APPROVED })
    expect(await decisions()).toEqual(['approved'])
  })
})

describe('judgments go', () => {
  const search = async () =>
    (await ws.ok('/v2/memory/search', { query: 'fine', embeddingType: 'content' })).totalInScope

  test('with their document, and with their organization', async () => {
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'other' }] })
    for (const [id, at] of [
      ['t1', place],
      ['t2', { ...place, documentId: 'other' }],
    ] as const) {
      await addThread(id, [text(bob, 'Fine?')], {}, at)
      await update(id, { status: APPROVED }, at)
    }
    expect(await search()).toBe(2)
    await ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['other'] })
    expect(await search()).toBe(1)
    await ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
    expect([await search(), await decisions()]).toEqual([0, []])
  })

  test('with the data of the location of their thread, wherever it has moved', async () => {
    const credentials = { apiKey: ws.apiKey, authToken: ws.keyHeaders['x-service-auth-token'], documentId: 'plan' }
    for (const id of ['here', 'there']) {
      await addThread(id, [text(bob, 'Fine?')], { location: { id } })
      await update(id, { status: APPROVED })
    }
    const imported = { recordId: 'i', decision: 'approve', reasoning: '', actionUser: ada, annotationId: 'here' }
    await ws.ok('/v2/memory/judgments/add', { ...place, judgments: [imported] })
    const path = '/v1/organizations/documents/locations'
    const migrate = { oldLocation: { id: 'here' }, newLocation: { id: 'moved' } }
    await ws.ok(`${path}/update`, { ...credentials, migrate })
    await ws.ok(`${path}/data/delete`, { ...credentials, location: { id: 'here' } })
    expect(await search()).toBe(3)
    await ws.ok(`${path}/data/delete`, { ...credentials, location: { id: 'moved' } })
    expect(await search()).toBe(1)
  })

  test('with the user who made them, and what the user wrote goes from those of others', async () => {
    await addThread('t', [text(bob, 'Fine?'), text(ada, 'Fine!')])
    await update('t', { status: APPROVED })
    await addThread('u', [text(ada, 'Also fine?')])
    await update('u', { status: APPROVED }, { actionUser: bob })
    expect(await search()).toBe(2)
    const forget = () =>
      service.database.transaction((db) =>
        forgetJudgmentsOfUsers(db, { apiKey: ws.apiKey, workspaceId: ws.id }, { userKeys: [keyOf('bob')] }, 2),
      )
    while (await forget());
    expect(await judgments()).toMatchObject([{ actionUser: ada, reasoning: 'Fine!' }])
    const byContent = await ws.ok('/v2/memory/search', { query: 'fine', embeddingType: 'content' })
    expect(byContent).toMatchObject({ results: [], totalInScope: 1 })
  })
})
