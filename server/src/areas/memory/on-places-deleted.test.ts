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

const { addThread, decisions, update } = threadDecisions(() => ws)

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
})
