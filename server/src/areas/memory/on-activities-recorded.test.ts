import { beforeEach, describe, expect, test } from 'vitest'
import { startService, type TestWorkspace } from '../../../test/running-service.ts'
import {
  APPROVED,
  ada,
  bob,
  newPlannedWorkspace,
  place,
  text,
  threadDecisions,
} from '../../../test/thread-decisions.ts'

let ws: TestWorkspace

beforeEach(async () => {
  ws = await newPlannedWorkspace(await startService())
})

const { addThread, decisions, importOne, judgments, update } = threadDecisions(() => ws)

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

  test('of the same id in two organizations at once is a judgment in each', async () => {
    await Promise.all(['acme', 'beta'].map((organizationId) => add([activity('first', {})], organizationId)))
    const ids = Array.from({ length: 20 }, (_, index) => `same-${index}`)
    for (const id of ids) {
      const decided = [activity(id, { entityData: { decision: 'approve' } })]
      await Promise.all(['acme', 'beta'].map((organizationId) => add(decided, organizationId)))
    }
    expect(await judgments({ organizationId: 'acme', limit: 100 })).toHaveLength(ids.length)
    expect(await judgments({ organizationId: 'beta', limit: 100 })).toHaveLength(ids.length)
  })

  test('that the service records of a change of status makes no second judgment', async () => {
    await addThread('t', [text(bob, 'Fine?')])
    await update('t', { status: APPROVED })
    expect(await decisions()).toEqual(['approved'])
  })
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
  await importOne()
  expect((await judgments()).map(({ recordId }) => recordId).sort()).toEqual(['a', 'b', 'imported'])
  await record('a', { note: 'undecided' })
  expect((await judgments()).map(({ recordId }) => recordId).sort()).toEqual(['b', 'imported'])
  await ws.ok('/v2/activities/delete', { organizationId: 'acme', activityIds: ['b'] })
  expect((await judgments()).map(({ recordId }) => recordId)).toEqual(['imported'])
  await ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['plan'] })
  expect(await judgments()).toEqual([])
})
