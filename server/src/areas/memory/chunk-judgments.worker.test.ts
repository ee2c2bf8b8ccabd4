import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { createSecrets } from '../../platform/secret.ts'
import { judgmentChunks } from './chunk-judgments.worker.ts'
import { ChunkBuilder } from './indexing/chunk.ts'
import { createIndexCache } from './indexing/index-cache.ts'
import { CHUNK_FORM } from './indexing/pack-chunk.ts'
import { storeChunk } from './indexing/stored-chunks.ts'
import type { LexicalIndex } from './lexical/lexical-index.ts'
import { readByChange } from './lexical/read-judgments.ts'

const { form } = CHUNK_FORM
const COUNT = 2_200
const HOUR = 3_600_000
const PAGE = 1_000

let service: Service
beforeAll(async () => {
  service = await startService()
})

const TOPICS = ['invoice totals', 'login screens', 'privacy notices', 'shipping dates', 'écran 検索']

const judgment = (n: number) => ({
  recordId: `r${n}`,
  decision: n % 3 ? 'approve' : 'reject',
  reasoning: n % 50 ? `Judged ${TOPICS[n % 5]} of batch ${n % 97}, case ${n}.` : '',
  content: n % 7 ? `The ${TOPICS[n % 5]} were reviewed in round ${n % 31}.` : undefined,
  actionUser: { userId: `reviewer${n % 4}`, name: 'Ada' },
})

async function add(ws: TestWorkspace, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += PAGE) {
    const judgments = Array.from({ length: Math.min(PAGE, to - first) }, (_, i) => judgment(first + i))
    await ws.ok('/v2/memory/judgments/add', { judgments })
  }
}

/** A workspace with many judgments, whose chunks are made. */
async function chunked(): Promise<TestWorkspace> {
  const ws = await newWorkspace(service)
  await add(ws, 0, COUNT)
  await makeChunks()
  return ws
}

let hours = 0

/** Runs a worker, an hour later each time, until it has nothing to do. */
async function makeChunks(secrets = service.app.services.secrets): Promise<void> {
  hours++
  const clock = { now: () => Date.now() + hours * HOUR }
  const services = { ...service.app.services, clock, secrets }
  const source = judgmentChunks({ reads: service.database, db: service.database, services })
  while (await source.work(() => {}));
}

const chunksOf = (ws: TestWorkspace) =>
  service.database.query<{ first: number; last: number; judgments: number; bytes: number }>(sql`
    select first, last, judgments, length(sealed) as bytes
    from judgment_chunk
    where api_key = ${ws.apiKey}
    order by first`)

/** An index of a process that has just started, and how many judgments it read one by one. */
async function startIndex(ws: TestWorkspace, secrets = service.app.services.secrets) {
  let read = 0
  const db: Db = {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const rows = await service.database.query<Row>(statement)
      read += rows.filter((row) => 'key' in row && row.key !== null).length
      return rows
    },
  }
  const { log } = service.app.services
  const cache = createIndexCache({ budgetBytes: 2 ** 30, patienceMs: 60_000, few: 0, log, secrets })
  const index = await cache.find(db, { apiKey: ws.apiKey, workspaceId: ws.id }, sql`true`)
  return { index, read }
}

const QUERIES = ['invoice totals of batch 12', 'login', 'case 77', 'privcy notice', '検索', 'nothing like it']

/** What an index answers, in words and numbers. */
const answersOf = (index: LexicalIndex) =>
  QUERIES.map((query) => [
    index.search({ field: 'review', query, scope: {}, limit: 20 }),
    index.search({ field: 'content', query, scope: {}, filters: { decision: 'reject' }, limit: 20 }),
    index.neighbours(query, {}),
  ])

test('an index made of chunks answers as one made of judgments, and reads no judgment', async () => {
  const ws = await newWorkspace(service)
  await add(ws, 0, COUNT)
  const plain = await startIndex(ws)
  expect(plain.read).toBe(COUNT)
  await makeChunks()
  expect(await chunksOf(ws)).toMatchObject([{ first: 1, last: COUNT, judgments: COUNT }])
  const { index, read } = await startIndex(ws)
  expect({ read, size: index.size }).toEqual({ read: 0, size: COUNT })
  expect(answersOf(index)).toEqual(answersOf(plain.index))
})

test('judgments that are added later are read after the chunks, until a chunk holds them too', async () => {
  const ws = await chunked()
  await add(ws, COUNT, COUNT + 30)
  expect(await startIndex(ws)).toMatchObject({ read: 30, index: { size: COUNT + 30 } })
  await add(ws, COUNT + 30, 2 * COUNT)
  await makeChunks()
  expect(await chunksOf(ws)).toMatchObject([{ first: 1, last: 2 * COUNT, judgments: 2 * COUNT }])
  expect(await startIndex(ws)).toMatchObject({ read: 0, index: { size: 2 * COUNT } })
})

test('a judgment that is deleted or changed leaves no word in a chunk, which is then made again', async () => {
  const ws = await chunked()
  await ws.ok('/v2/memory/judgments/delete', { recordIds: ['r5'] })
  expect(await chunksOf(ws)).toMatchObject([{ judgments: -1, bytes: 0 }])
  expect((await startIndex(ws)).index.size).toBe(COUNT - 1)
  await makeChunks()
  expect(await chunksOf(ws)).toMatchObject([{ first: 1, last: COUNT, judgments: COUNT - 1 }])
  await ws.ok('/v2/memory/judgments/add', { judgments: [judgment(6)] })
  expect(await chunksOf(ws)).toMatchObject([{ judgments: -1, bytes: 0 }])
  await makeChunks()
  const { index, read } = await startIndex(ws)
  expect({ read, size: index.size }).toEqual({ read: 2, size: COUNT - 1 })
})

test('a chunk that cannot be read is made again', async () => {
  const ws = await chunked()
  await service.database.query(sql`
    update judgment_chunk set sealed = '\\x00'::bytea || substring(sealed from 2) where api_key = ${ws.apiKey}`)
  expect(await startIndex(ws)).toMatchObject({ read: COUNT, index: { size: COUNT } })
  await makeChunks()
  expect(await startIndex(ws)).toMatchObject({ read: 0, index: { size: COUNT } })
})

test('a chunk of an older form is made again, one of a newer form or another key is left alone for a day', async () => {
  const ws = await chunked()
  const formats = () =>
    service.database.query<{ format: string }>(sql`
      select format from judgment_chunk where api_key = ${ws.apiKey} order by first`)
  const [current] = await formats()
  const from = (older: string) => sql`
    update judgment_chunk set format = ${older} where api_key = ${ws.apiKey} and format = ${current?.format ?? ''}`
  for (const format of [`${form - 1}/99.0/key`, `${form}/9.0/key`, '']) {
    await service.database.query(from(format))
    expect(await startIndex(ws)).toMatchObject({ read: COUNT, index: { size: COUNT } })
    await makeChunks()
    expect(await formats()).toEqual([current])
  }
  for (const format of [`${form + 1}/1.0/key`, `${form}/99.0/key`, `${current?.format}-other-key`]) {
    await service.database.query(from(format))
    await makeChunks()
    expect(await formats()).toEqual([{ format }])
    expect(await startIndex(ws)).toMatchObject({ read: COUNT, index: { size: COUNT } })
    await service.database.query(sql`
      update judgment_chunk set made_at = made_at - 86400001 where api_key = ${ws.apiKey}`)
    await makeChunks()
    expect(await formats()).toEqual([current])
  }
})

test('a process of an older form makes chunks of later judgments beside those of a newer form', async () => {
  const ws = await chunked()
  await service.database.query(
    sql`update judgment_chunk set format = ${`${form + 1}/1.0/key`} where api_key = ${ws.apiKey}`,
  )
  await add(ws, COUNT, COUNT + 600)
  await makeChunks()
  expect(await chunksOf(ws)).toMatchObject([
    { first: 1, last: COUNT },
    { first: COUNT + 1, last: COUNT + 600, judgments: 600 },
  ])
  expect(await startIndex(ws)).toMatchObject({ read: COUNT, index: { size: COUNT + 600 } })
})

test('a chunk under another master key is not read, and made again after a day', async () => {
  const ws = await chunked()
  const secrets = createSecrets([{ id: 'next', key: Buffer.alloc(32, 9) }])
  expect(await startIndex(ws, secrets)).toMatchObject({ read: COUNT, index: { size: COUNT } })
  const before = await chunksOf(ws)
  await makeChunks(secrets)
  expect(await startIndex(ws)).toMatchObject({ read: 0 })
  await service.database.query(sql`
    update judgment_chunk set made_at = made_at - 86400001 where api_key = ${ws.apiKey}`)
  await makeChunks(secrets)
  expect(await startIndex(ws, secrets)).toMatchObject({ read: 0, index: { size: COUNT } })
  expect(await chunksOf(ws)).toMatchObject(before.map(({ first, last, judgments }) => ({ first, last, judgments })))
})

test('a chunk that was made while one of its judgments was deleted is not read', async () => {
  const ws = await newWorkspace(service)
  await add(ws, 0, 50)
  const builder = new ChunkBuilder()
  await builder.add(await readByChange(service.database, ws.apiKey, { first: 1, last: 50 }))
  await ws.ok('/v2/memory/judgments/delete', { recordIds: ['r5'] })
  const range = { first: 1, last: 50 }
  await storeChunk(service.database, ws.apiKey, range, builder.build(), service.app.services.secrets)
  expect(await startIndex(ws)).toMatchObject({ index: { size: 49 } })
  await makeChunks()
  expect(await chunksOf(ws)).toMatchObject([{ judgments: 49 }])
})

test('a chunk whose judgments are all gone is deleted, and an API key with few judgments has none', async () => {
  const ws = await newWorkspace(service)
  await add(ws, 0, 50)
  await makeChunks()
  expect(await chunksOf(ws)).toEqual([])
  await service.database.query(sql`
    insert into judgment_chunk (api_key, first, last, judgments, format, sealed)
    values (${ws.apiKey}, 100, 200, -1, '', '')`)
  await makeChunks()
  expect(await chunksOf(ws)).toEqual([])
})
