import type { Worker } from 'node:worker_threads'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../../test/running-service.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { createLog } from '../../../platform/log.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import { createIndexCache } from './index-cache.ts'
import { KeyIndex } from './key-index.ts'
import { readChunksOf } from './make-chunk.ts'
import { storeChunk } from './stored-chunks.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const COUNT = 500
const TOPICS = ['invoice totals', 'login screens', 'privacy notices', 'shipping dates', 'écran 検索']

const judgment = (n: number, reasoning = `Judged ${TOPICS[n % 5]} of batch ${n % 97}, case ${n}.`) => ({
  recordId: `r${n}`,
  decision: n % 3 ? 'approve' : 'reject',
  reasoning,
  content: n % 7 ? `The ${TOPICS[n % 5]} were reviewed in round ${n % 31}.` : undefined,
  actionUser: { userId: `reviewer${n % 4}`, name: 'Ada' },
})

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
const idsOf = (from: number, to: number) => numbers(from, to).map((n) => `r${n}`)

/** A workspace with chunks of the first judgments, some between them and some after them. */
async function chunked(): Promise<TestWorkspace> {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/memory/judgments/add', { judgments: numbers(0, COUNT).map((n) => judgment(n)) })
  for (const [first, last] of [
    [1, 100],
    [101, 200],
    [281, 400],
  ] as const) {
    for await (const chunk of readChunksOf(service.database, ws.apiKey, { first, last })) {
      await storeChunk(service.database, ws.apiKey, { first, last }, chunk, service.app.services.secrets)
    }
  }
  return ws
}

/** A process that has just started. `meanwhile` runs once, when a chunk was read and before the next ones. */
function starting(ws: TestWorkspace, meanwhile = async () => {}) {
  const watch = { chunks: 0, read: 0, isDown: false, warnings: [] as string[] }
  const db: Db = {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      if (watch.isDown) throw new Error('down')
      const rows = await service.database.query<Row>(statement)
      watch.read += rows.filter((row) => 'key' in row && row.key !== null).length
      if (rows[0] && 'piece' in rows[0] && watch.chunks++ === 0) await meanwhile()
      return rows
    },
  }
  const log = createLog({ logLevel: 'warn' }, { write: (line) => watch.warnings.push(JSON.parse(line).msg) })
  const { secrets } = service.app.services
  const cache = createIndexCache({ budgetBytes: 2 ** 30, patienceMs: 60_000, few: 0, log, secrets })
  return { watch, cache, find: () => cache.find(db, { apiKey: ws.apiKey, workspaceId: ws.id }, sql`true`) }
}

/** What an index answers. Stems may have other numbers, so that sums differ by rounding. */
const answersOf = (index: LexicalIndex) =>
  ['invoice totals of batch 12', 'login', 'case 77', 'changed privacy notice', '検索', 'privcy'].flatMap((query) =>
    (['review', 'content'] as const).map((field) => {
      const { hits, totalInScope } = index.search({
        field,
        query,
        scope: {},
        filters: { decision: 'reject' },
        limit: 20,
      })
      return { hits: hits.map(({ key, similarity }) => [key, similarity.toFixed(6)]), totalInScope }
    }),
  )

/** An index of the same judgments that was made without a chunk. */
async function plain(ws: TestWorkspace): Promise<LexicalIndex> {
  await service.database.query(sql`delete from judgment_chunk where api_key = ${ws.apiKey}`)
  return starting(ws).find()
}

test('an index of several chunks answers as one made of judgments, and reads only those that are in none', async () => {
  const ws = await chunked()
  const { find, watch } = starting(ws)
  const index = await find()
  expect(watch).toMatchObject({ chunks: 3, read: 180, warnings: [] })
  expect(index.size).toBe(COUNT)
  expect(answersOf(index)).toEqual(answersOf(await plain(ws)))
})

test('judgments that are added, changed and deleted while and after it is made are found as they are', async () => {
  const ws = await chunked()
  const change = async (n: number) => {
    const changed = [n, n + 110, n + 220, n + 290, n + 410].map((each) => judgment(each, `Changed ${TOPICS[n % 5]}.`))
    await ws.ok('/v2/memory/judgments/add', { judgments: [...changed, judgment(COUNT + n)] })
    await ws.ok('/v2/memory/judgments/delete', {
      recordIds: [...idsOf(n + 1, n + 9), ...idsOf(n + 130, n + 140), ...idsOf(n + 230, n + 240)],
    })
  }
  const { find } = starting(ws, () => change(0))
  await find()
  await change(40)
  const index = await find()
  expect(index.size).toBe(COUNT + 2 - 2 * 28)
  expect(answersOf(index)).toEqual(answersOf(await plain(ws)))
})

test('a chunk that is torn while it is made leaves its judgments to be read', async () => {
  const ws = await chunked()
  const { find, watch } = starting(ws, async () => {
    await service.database.query(sql`
      update judgment_chunk set judgments = -1, sealed = '' where api_key = ${ws.apiKey} and first > 1`)
  })
  const index = await find()
  expect(watch.read).toBeGreaterThanOrEqual(300)
  expect(answersOf(index)).toEqual(answersOf(await plain(ws)))
})

test('when all judgments are deleted while it is made, none is found', async () => {
  const ws = await chunked()
  const { find } = starting(ws, async () => {
    await ws.ok('/v2/memory/judgments/delete', { recordIds: idsOf(0, COUNT) })
  })
  expect((await find()).size).toBe(0)
})

/** Awaits the threads that start, by name of what happens to them. */
function onThread(act: (thread: Worker) => void): void {
  process.on('worker', act)
  onTestFinished(() => void process.off('worker', act))
}

test('without its thread an index is made all the same, and the log says so', async () => {
  const ws = await chunked()
  onThread((thread) => void thread.terminate())
  const { find, watch } = starting(ws)
  const index = await find()
  expect(watch.warnings).toEqual([expect.stringContaining('thread')])
  expect(answersOf(index)).toEqual(answersOf(await plain(ws)))
})

test('when the database fails meanwhile, the call fails, the thread ends, and the next call begins again', async () => {
  const ws = await chunked()
  let ended: Promise<void> | undefined
  onThread((thread) => {
    ended = new Promise((resolve) => thread.once('exit', () => resolve()))
  })
  const { find, watch, cache } = starting(ws, async () => {
    watch.isDown = true
  })
  await expect(find()).rejects.toThrow('down')
  await ended
  const left = cache.bytes
  watch.isDown = false
  expect(await find().then(answersOf)).toEqual(answersOf(await plain(ws)))
  expect(watch).toMatchObject({ chunks: 4, warnings: [] })
  expect(left).toBeLessThan(cache.bytes)
})

test('when the database fails while a page is indexed, only the call fails', async () => {
  const ws = await newWorkspace(service)
  const long = '漢字。'.repeat(500)
  await ws.ok('/v2/memory/judgments/add', { judgments: numbers(0, 120).map((n) => judgment(n, long)) })
  const { secrets, log } = service.app.services
  const key = new KeyIndex({ apiKey: ws.apiKey, workspaceId: ws.id }, { secrets, log })
  let isDown = false
  const failing: Db = {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      if (isDown) throw new Error('down')
      const rows = await service.database.query<Row>(statement)
      isDown = rows.length >= 100
      return rows
    },
  }
  await expect(key.caughtUp(failing, 60_000)).rejects.toThrow('down')
  expect((await key.caughtUp(service.database, 60_000))?.size).toBe(120)
})

test('other work runs between long judgments that are read', async () => {
  const ws = await newWorkspace(service)
  const long = '漢字。'.repeat(6_000)
  for (let n = 0; n < 3; n++)
    await ws.ok('/v2/memory/judgments/add', { judgments: numbers(n * 10, n * 10 + 10).map((i) => judgment(i, long)) })
  const { secrets, log } = service.app.services
  const key = new KeyIndex({ apiKey: ws.apiKey, workspaceId: ws.id }, { secrets, log })
  const sizes = new Set<number>()
  const timer = setInterval(() => sizes.add(key.index.size), 1)
  const index = await key.caughtUp(service.database, 60_000)
  clearInterval(timer)
  expect(index?.size).toBe(30)
  expect([...sizes].filter((size) => size > 0 && size < 30).length).toBeGreaterThan(2)
})
