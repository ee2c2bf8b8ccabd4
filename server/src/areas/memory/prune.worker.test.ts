import { beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { createIndexCache } from './indexing/index-cache.ts'
import { judgmentPruning } from './prune.worker.ts'

const DAY = 86_400_000

let service: Service
let ws: TestWorkspace
let read = 0
beforeEach(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await add('a', 'b', 'c')
  read = 0
})

const add = (...recordIds: string[]) =>
  ws.ok('/v2/memory/judgments/add', {
    judgments: recordIds.map((recordId) => ({
      recordId,
      decision: 'approve',
      reasoning: `Reason ${recordId}`,
      actionUser: { userId: 'ada', name: 'Ada' },
    })),
  })

const remove = (...recordIds: string[]) => ws.ok('/v2/memory/judgments/delete', { recordIds })

/** Runs a worker that many days from now. */
async function pruneAfter(days: number): Promise<void> {
  const source = judgmentPruning({
    db: service.database,
    services: { ...service.app.services, clock: { now: () => Date.now() + days * DAY } },
  })
  while (await source.work(() => {}));
}

/** An index of this process. `size` brings it up to date and returns its number of judgments. */
function newIndex() {
  const { log, secrets } = service.app.services
  const cache = createIndexCache({ budgetBytes: 2 ** 30, patienceMs: 60_000, few: 0, log, secrets })
  const db: Db = {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const rows = await service.database.query<Row>(statement)
      read += rows.filter((row) => 'key' in row && row.key !== null).length
      return rows
    },
  }
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  return { size: async () => (await cache.find(db, tenant, sql`true`)).size }
}

async function deletions(): Promise<number | undefined> {
  const [row] = await service.database.query<{ count: number }>(
    sql`select count(*) as count from judgment_deletion where api_key = ${ws.apiKey}`,
  )
  return row?.count
}

test('deletions are forgotten after seven days', async () => {
  await remove('a', 'b')
  await pruneAfter(6)
  expect(await deletions()).toBe(2)
  await pruneAfter(8)
  expect(await deletions()).toBe(0)
})

test('an index that has not read a pruned deletion starts again, whatever else has changed since', async () => {
  const [idle, behind] = [newIndex(), newIndex()]
  expect([await idle.size(), await behind.size()]).toEqual([3, 3])
  await remove('c')
  await pruneAfter(8)
  expect(await deletions()).toBe(0)
  expect(await idle.size()).toBe(2)
  await add('d')
  expect([await idle.size(), await behind.size()]).toEqual([3, 3])
})

test('an index that has read the forgotten deletions, and one that begins later, read on', async () => {
  const known = newIndex()
  await remove('a')
  expect(await known.size()).toBe(2)
  await pruneAfter(8)
  read = 0
  expect([await known.size(), read]).toEqual([2, 0])
  const later = newIndex()
  expect([await later.size(), read]).toEqual([2, 2])
  await add('d')
  read = 0
  expect([await known.size(), await later.size(), read]).toEqual([3, 3, 2])
})
