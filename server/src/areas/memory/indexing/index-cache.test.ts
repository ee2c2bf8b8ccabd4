import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, SECRET_KEYS, type Service, startService } from '../../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { createLog } from '../../../platform/log.ts'
import { createSecrets, parseSecretKeys } from '../../../platform/secret.ts'
import { type JudgmentDraft, recordJudgments } from '../judgment/record-judgments.ts'
import { readByKey } from '../search/read-by-key.ts'
import { createIndexCache } from './index-cache.ts'

let service: Service
let tenant: ApiKeyTenant

beforeAll(async () => {
  service = await startService()
  tenant = (await workspaceOf(450)).tenant
})

async function workspaceOf(count: number) {
  const made = await newWorkspace(service)
  await made.ok('/v2/memory/judgments/add', { judgments: Array.from({ length: count }, (_, i) => judgment(`r${i}`)) })
  return { ws: made, tenant: { apiKey: made.apiKey, workspaceId: made.id } }
}

const judgment = (recordId: string, decision = 'approve') => ({
  recordId,
  decision,
  reasoning: `Reason ${recordId}`,
  actionUser: { userId: 'ada', name: 'Ada' },
})

const ALL = sql`true`
const NONE = sql`false`
const log = createLog({ logLevel: 'silent' })
const secrets = createSecrets(parseSecretKeys(SECRET_KEYS))
const limits = { budgetBytes: 2 ** 30, patienceMs: 10_000, few: 500, log, secrets }

/** The database with a count of the judgments that it returned; it fails while `isDown`. */
function watched() {
  const reached: { count: number; resolve: () => void }[] = []
  const watch = {
    read: 0,
    statements: 0,
    isDown: false,
    /** Resolves when that many were returned. */
    hasRead: (count: number) =>
      new Promise<void>((resolve) => {
        if (watch.read >= count) resolve()
        else reached.push({ count, resolve })
      }),
    db: {
      async query<Row extends object>(statement: Sql): Promise<Row[]> {
        if (watch.isDown) throw new Error('down')
        watch.statements++
        const rows = await service.database.query<Row>(statement)
        watch.read += rows.filter((row) => 'key' in row && row.key !== null).length
        for (const { count, resolve } of reached) if (watch.read >= count) resolve()
        return rows
      },
    } satisfies Db,
  }
  return watch
}

test('an index is read once; later calls read what has changed since', async () => {
  const own = await workspaceOf(250)
  const cache = createIndexCache(limits)
  const watch = watched()
  expect((await cache.find(watch.db, own.tenant, ALL)).size).toBe(250)
  expect(watch.read).toBe(250)
  await own.ws.ok('/v2/memory/judgments/add', { judgments: [judgment('r1', 'reject'), judgment('new')] })
  await own.ws.ok('/v2/memory/judgments/delete', { recordIds: ['r2', 'r3'] })
  const index = await cache.find(watch.db, own.tenant, ALL)
  expect([index.size, watch.read]).toEqual([249, 254])
  const scope = { field: 'review' as const, query: 'reason', scope: {}, limit: 50 }
  expect(index.search({ ...scope, filters: { decision: 'reject' } }).totalInScope).toBe(1)
})

test('while nothing changes, an answer takes one look at the database; one that a change came before is worked out again', async () => {
  const own = await workspaceOf(3)
  const cache = createIndexCache(limits)
  const watch = watched()
  const search = { field: 'review' as const, query: 'reason', scope: {}, limit: 50 }
  let workedOut = 0
  const count = async () => {
    workedOut = 0
    const answer = await cache.answer(watch.db, own.tenant, ALL, async (index) => {
      const { totalInScope } = index.search(search)
      const { change } = await readByKey(watch.db, own.tenant, { keys: [], condition: ALL, columns: sql`j.record_id` })
      workedOut++
      return { totalInScope, change }
    })
    return answer.totalInScope
  }
  // The first read may include what was written just before.
  expect([await count(), await count()]).toEqual([3, 3])
  watch.statements = 0
  expect([await count(), workedOut, watch.statements]).toEqual([3, 1, 1])
  await own.ws.ok('/v2/memory/judgments/add', { judgments: [judgment('new')] })
  expect([await count(), workedOut]).toEqual([4, 2])
  await own.ws.ok('/v2/memory/judgments/delete', { recordIds: ['new', 'r1'] })
  expect([await count(), workedOut]).toEqual([2, 1])
})

test('calls at the same time share the reading', async () => {
  const cache = createIndexCache(limits)
  const watch = watched()
  const found = await Promise.all(Array.from({ length: 20 }, () => cache.find(watch.db, tenant, ALL)))
  expect(new Set(found).size).toBe(1)
  expect(watch.read).toBe(450)
})

test('a call does not take an answer for its own that was read before it', async () => {
  const own = await workspaceOf(1)
  const cache = createIndexCache(limits)
  const held = gate()
  const wasRead = gate()
  const slow: Db = {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const rows = await service.database.query<Row>(statement)
      wasRead.resolve()
      await held.promise
      return rows
    },
  }
  const before = cache.find(slow, own.tenant, ALL)
  await wasRead.promise
  await own.ws.ok('/v2/memory/judgments/add', { judgments: [judgment('new')] })
  const after = cache.find(slow, own.tenant, ALL)
  held.resolve()
  expect((await after).size).toBe(2)
  await before
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'no reader passes over a change whose transaction commits late',
  async () => {
    const { ws, tenant: own } = await workspaceOf(1)
    const cache = createIndexCache(limits)
    const find = () => cache.find(service.database, own, ALL)
    const hasWritten = gate()
    const mayCommit = gate()
    const late = service.database.transaction(async (db) => {
      await recordJudgments(db, own, [draft('late')])
      hasWritten.resolve()
      await mayCommit.promise
    })
    await hasWritten.promise
    const next = ws.ok('/v2/memory/judgments/add', { judgments: [judgment('next')] })
    for (let i = 0; i < 20; i++) expect((await find()).size).toBe(1)
    mayCommit.resolve()
    await Promise.all([late, next])
    expect((await find()).size).toBe(3)
  },
)

function gate() {
  let resolve = () => {}
  const promise = new Promise<void>((open) => {
    resolve = open
  })
  return { promise, resolve: () => resolve() }
}

const draft = (recordId: string): JudgmentDraft => ({
  recordId,
  organizationKey: null,
  documentKey: null,
  annotationId: null,
  decision: 'approve',
  reasoning: 'Reason',
  content: '',
  contentUserId: null,
  contentType: null,
  confidence: 1,
  judgeType: 'human',
  agent: null,
  reviewer: { userId: 'ada', name: 'Ada' },
  createdAt: null,
  source: 'import' as const,
})

test('while an index is being read, a few judgments are indexed for the call, and more are UNAVAILABLE', async () => {
  const impatient = createIndexCache({ ...limits, patienceMs: 0, few: 10 })
  const { db } = watched()
  await expect(impatient.find(db, tenant, ALL)).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  const few = createIndexCache({ ...limits, patienceMs: 0 })
  expect((await few.find(db, tenant, ALL)).size).toBe(450)
  const none = createIndexCache({ ...limits, patienceMs: 0, few: 10 })
  expect((await none.find(db, tenant, NONE)).size).toBe(0)
})

test('the reading goes on after the call that began it has given up', async () => {
  const cache = createIndexCache({ ...limits, patienceMs: 0, few: 0 })
  const watch = watched()
  await expect(cache.find(watch.db, tenant, ALL)).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  // The judgments, and one more, which shows that they are too many to be read at once.
  await watch.hasRead(451)
  expect((await cache.find(watch.db, tenant, ALL)).size).toBe(450)
  expect(watch.read).toBe(451)
})

test('a failure of the database fails the call, and the next one reads on', async () => {
  const cache = createIndexCache(limits)
  const watch = watched()
  watch.isDown = true
  const failed = await Promise.allSettled([cache.find(watch.db, tenant, ALL), cache.find(watch.db, tenant, ALL)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  watch.isDown = false
  expect((await cache.find(watch.db, tenant, ALL)).size).toBe(450)
})

test('the index longest unused is dropped when they outgrow the budget, and read again when it is asked for', async () => {
  const [first, second, third] = [await workspaceOf(30), await workspaceOf(30), await workspaceOf(30)]
  const probe = await createIndexCache(limits).find(service.database, first.tenant, ALL)
  const cache = createIndexCache({ ...limits, budgetBytes: probe.bytes * 2.5 })
  const watch = watched()
  const find = async ({ tenant }: { tenant: ApiKeyTenant }) => {
    const before = watch.read
    expect((await cache.find(watch.db, tenant, ALL)).size).toBe(30)
    return watch.read - before
  }
  expect([await find(first), await find(second), await find(first), await find(third)]).toEqual([30, 30, 0, 30])
  expect([await find(first), await find(third), await find(second)]).toEqual([0, 0, 30])
})

test('an index that alone exceeds the budget is used all the same, and logged once per API key', async () => {
  const [first, second] = [await workspaceOf(30), await workspaceOf(30)]
  const lines: string[] = []
  const warnings = createLog({ logLevel: 'warn' }, { write: (line) => lines.push(line) })
  const cache = createIndexCache({ ...limits, budgetBytes: 1000, log: warnings })
  const watch = watched()
  for (const { tenant } of [first, first, second, first]) {
    expect((await cache.find(watch.db, tenant, ALL)).size).toBe(30)
  }
  expect(watch.read).toBe(90)
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    [first, second].map(({ tenant: { apiKey } }) =>
      expect.objectContaining({ apiKey, budgetMb: 1, msg: expect.stringContaining('MEMORY_INDEX_MB') }),
    ),
  )
})
