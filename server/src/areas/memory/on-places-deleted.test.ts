import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import {
  APPROVED,
  ada,
  bob,
  newPlannedWorkspace,
  place,
  text,
  threadDecisions,
} from '../../../test/thread-decisions.ts'
import { sql } from '../../platform/db/db.ts'

let ws: TestWorkspace

let service: Service

beforeEach(async () => {
  service = await startService()
  ws = await newPlannedWorkspace(service)
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

  test('with their organization, however many they are', async () => {
    const judgment = { recordId: 'first', decision: 'approve', reasoning: '', actionUser: ada }
    await ws.ok('/v2/memory/judgments/add', { organizationId: 'acme', judgments: [judgment] })
    await ws.ok('/v2/memory/judgments/add', { judgments: [{ ...judgment, recordId: 'elsewhere' }] })
    await service.database.query(sql`
      with copied as (
        insert into judgment
        select (jsonb_populate_record(j, jsonb_build_object(
          'key', gen_random_uuid(), 'record_id', 'copy ' || n, 'change', l.change + n))).*
        from judgment j
        join judgment_log l on l.api_key = j.api_key
        cross join generate_series(1, 4001) n
        where j.api_key = ${ws.apiKey} and j.record_id = 'first'
      )
      update judgment_log set change = change + 4001 where api_key = ${ws.apiKey}`)
    await ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
    expect(await decisions()).toEqual(['approve'])
    const [log] = await service.database.query(sql`
      select l.change, count(d.change) as deletions, max(d.change) as last
      from judgment_log l
      join judgment_deletion d on d.api_key = l.api_key
      where l.api_key = ${ws.apiKey}
      group by l.change`)
    expect(log).toEqual({ change: 8_005, deletions: 4_002, last: 8_005 })
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
