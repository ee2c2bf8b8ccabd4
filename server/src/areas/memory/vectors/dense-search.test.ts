import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  answerEmbeddings,
  type EmbeddingsServer,
  startEmbeddingService,
} from '../../../../test/models/embeddings-server.ts'
import { tinyOnnxModel } from '../../../../test/models/onnx-model.ts'
import type { Reply } from '../../../../test/receiver.ts'
import {
  asApiKey,
  newWorkspace,
  SECRET_KEYS,
  type Service,
  startOn,
  type TestWorkspace,
} from '../../../../test/running-service.ts'
import { createApp } from '../../../app.ts'
import { readConfig } from '../../../platform/config.ts'
import { sql } from '../../../platform/db/db.ts'
import { openEmbedder } from '../../../platform/embedder/open-embedder.ts'
import { createLog } from '../../../platform/log.ts'
import { parseSecretKeys } from '../../../platform/secret.ts'
import { NOTHING_SHARED } from '../search/fit.ts'

let server: EmbeddingsServer
let service: Service
let ws: TestWorkspace
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ server, service, stop } = await startEmbeddingService())
})
afterAll(() => stop())
beforeEach(async () => {
  server.respond = answerEmbeddings
  // After a failure the model is not called for a while.
  service.clock.ahead += 3_600_000
  ws = await newWorkspace(service)
})

const judgment = (recordId: string, content: string, others: object = {}) => ({
  recordId,
  decision: 'approve',
  reasoning: `${content} was judged`,
  content,
  actionUser: { userId: 'u', name: 'U' },
  ...others,
})
const add = (judgments: object[], of = ws) => of.ok('/v2/memory/judgments/add', { judgments })
const search = (data: object, of = ws) => of.ok('/v2/memory/search', data)
const suggest = (data: object) => ws.ok('/v2/memory/suggest', data)
const idsOf = ({ results }: { results: { recordId: string }[] }) => results.map(({ recordId }) => recordId)
const NO_MODEL = 'The embedding model is not available: this was found by words alone.'

const CARS = [
  judgment('car', 'inexpensive automobile'),
  judgment('doctor', 'renowned physician'),
  judgment('bread', 'crusty sourdough loaf'),
]

describe('with vectors of all judgments', () => {
  test('a judgment is found that shares no word with the query', async () => {
    await add(CARS)
    await service.drainJobs()
    const found = await search({ query: 'cheap car', embeddingType: 'content' })
    expect(found.results[0]).toMatchObject({ recordId: 'car', similarity: expect.closeTo(1, 5) })
    expect(found).not.toHaveProperty('warnings')
    expect(idsOf(await search({ query: 'medic' }))[0]).toBe('doctor')
  })

  test('similarity is 0 to 1, whichever found it, and that of unrelated judgments is small', async () => {
    await add(CARS)
    await service.drainJobs()
    const { results } = await search({ query: 'crusty sourdough loaf', embeddingType: 'content' })
    const [first, ...others] = results.map(({ similarity }) => similarity)
    expect(first).toBeCloseTo(1, 5)
    expect(others).toHaveLength(2)
    for (const similarity of others) {
      expect(similarity).toBeGreaterThanOrEqual(0)
      expect(similarity).toBeLessThan(0.5)
    }
  })

  test('scope and filters hold inside the search: a selective filter still fills the limit', async () => {
    const noise = Array.from({ length: 300 }, (_, i) => judgment(`near-${i}`, 'inexpensive automobile'))
    const far = Array.from({ length: 20 }, (_, i) => judgment(`far-${i}`, `weather ${i}`, { decision: 'reject' }))
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
    await add([...far.slice(0, 10), ...noise, ...far.slice(10)])
    await add([judgment('inside', 'crusty bread', { organizationId: 'acme' })])
    await service.drainJobs()
    const rejected = await search({ query: 'cheap car', filters: { decision: 'rejected' } })
    expect(idsOf(rejected).every((id) => id.startsWith('far-'))).toBe(true)
    expect([rejected.results.length, rejected.totalInScope]).toEqual([10, 20])
    expect(await search({ query: 'cheap car', organizationId: 'acme' })).toMatchObject({
      results: [{ recordId: 'inside' }],
      totalInScope: 1,
    })
  })

  test('a judgment that has no vector yet is found by words, beside those that have', async () => {
    await add(CARS)
    await service.drainJobs()
    await add([judgment('new', 'velvet curtain')])
    const found = await search({ query: 'velvet curtain', embeddingType: 'content' })
    expect(found.results[0]).toMatchObject({ recordId: 'new', similarity: expect.closeTo(1, 1) })
    expect(found).not.toHaveProperty('warnings')
  })

  test('what was changed or deleted is found as it is now', async () => {
    await add(CARS)
    await service.drainJobs()
    expect(idsOf(await search({ query: 'vehicle', limit: 1 }))).toEqual(['car'])
    await add([judgment('car', 'velvet curtain'), judgment('other', 'shiny automobile')])
    await service.drainJobs()
    expect(idsOf(await search({ query: 'vehicle', limit: 1 }))).toEqual(['other'])
    await ws.ok('/v2/memory/judgments/delete', { recordIds: ['other'] })
    expect(idsOf(await search({ query: 'vehicle' }))).not.toContain('other')
  })

  test('judgments of another API key are never found, however near', async () => {
    const other = await newWorkspace(service)
    await add(CARS)
    await add([judgment('foreign', 'cheap car')], other)
    await service.drainJobs()
    expect(idsOf(await search({ query: 'cheap car' }))).not.toContain('foreign')
    expect(idsOf(await search({ query: 'cheap car' }, other))).toEqual(['foreign'])
  })

  test('pgvector, where the database has it, finds what the memory of the process has no room for', async () => {
    await add([...CARS, judgment('against', 'affordable vehicle', { decision: 'reject' })])
    await service.drainJobs()
    const roomless = await startOn(service.database, { ...server.env, MEMORY_VECTORS_MB: '0' })
    const { ok: ask } = await asApiKey(roomless, ws.apiKey)
    const query = { query: 'cheap car', embeddingType: 'content', filters: { decision: 'approve' }, limit: 2 }
    const found = await ask('/v2/memory/search', query)
    const suggested = await ask('/v2/memory/suggest', { query: 'cheap car' })
    await roomless.app.http.close()
    const [pgvector] = await service.database.query(sql`select from pg_extension where extname = 'vector'`)
    if (service.database.kind === 'embedded') expect(pgvector).toBeDefined()
    if (pgvector) {
      const { searchLatencyMs: _, ...expected } = await search(query)
      expect(found).toMatchObject({
        ...expected,
        results: expected.results.map(({ recordId }) => ({ recordId })),
      })
      expect(suggested).toEqual(await suggest({ query: 'cheap car' }))
    } else {
      expect(found).toMatchObject({
        warnings: [expect.stringContaining('more memory than they may take'), NOTHING_SHARED],
      })
    }
  })
})

describe('a suggestion', () => {
  test('rests on judgments of like content that share no word with the item', async () => {
    await add([
      judgment('a', 'inexpensive automobile'),
      judgment('b', 'affordable vehicle'),
      ...Array.from({ length: 6 }, (_, i) => judgment(`c${i}`, `weather report ${i}`, { decision: 'reject' })),
    ])
    expect((await suggest({ query: 'cheap car' })).primary).toBeNull()
    await service.drainJobs()
    const { primary } = await suggest({ query: 'cheap car' })
    expect(primary).toMatchObject({ recommendation: 'approve', basedOn: 2 })
    expect(primary?.supportingRecordIds.toSorted()).toEqual(['a', 'b'])
    expect((await suggest({ query: 'surgical gloves' })).primary).toBeNull()
  })

  test('counts votes that have no vector yet', async () => {
    await add([judgment('a', 'velvet curtain one')])
    await service.drainJobs()
    await add([judgment('b', 'velvet curtain two')])
    expect((await suggest({ query: 'velvet curtain' })).primary).toMatchObject({ basedOn: 2 })
  })

  test('says so among its caveats when the model is not available', async () => {
    await add([judgment('a', 'velvet curtain one'), judgment('b', 'velvet curtain two')])
    await service.drainJobs()
    server.respond = () => ({ status: 503 })
    const { primary, warnings } = await suggest({ query: 'velvet curtain' })
    expect(primary?.caveats).toContain(NO_MODEL)
    expect(warnings).toEqual([NO_MODEL])
    expect(await suggest({ query: 'unheard of' })).toEqual({
      primary: null,
      conflict: null,
      warnings: [NO_MODEL, expect.stringMatching(/^No suggestion: /)],
    })
  })
})

describe('words alone answer, with a warning,', () => {
  test.each<[string, Reply]>([
    ['answers 500', { status: 500 }],
    ['breaks the connection', 'reset'],
    ['does not answer', 'hang'],
    ['talks nonsense', { status: 200, body: '{}' }],
  ])('while the model %s, and vectors again when it is back', async (_, reply) => {
    await add(CARS)
    await service.drainJobs()
    server.respond = () => reply
    expect(await search({ query: 'sourdough' })).toMatchObject({
      results: [{ recordId: 'bread' }],
      warnings: [NO_MODEL],
    })
    server.respond = answerEmbeddings
    expect(await search({ query: 'cheap car' })).toMatchObject({
      results: [],
      warnings: [NO_MODEL, NOTHING_SHARED],
    })
    service.clock.ahead += 5_000
    expect(idsOf(await search({ query: 'cheap car' }))[0]).toBe('car')
  })

  test('when the key is refused', async () => {
    await add(CARS)
    await service.drainJobs()
    server.respond = () => ({ status: 401, body: 'wrong key' })
    expect((await search({ query: 'sourdough' })).warnings).toEqual([expect.stringMatching(/refused .* the key/)])
  })

  test('until all judgments are embedded, after a change of the model, too', async () => {
    const embedding = [expect.stringMatching(/still being embedded/)]
    expect(await search({ query: 'cheap car' })).not.toHaveProperty('warnings')
    await add(CARS)
    expect((await search({ query: 'sourdough' })).warnings).toEqual(embedding)
    await service.drainJobs()
    const successor = await startOn(service.database, { ...server.env, EMBEDDER_MODEL: 'synonyms-2' })
    const find = async (query: string) => {
      const { body } = await successor.call('/v2/memory/search', { query }, ws.keyHeaders)
      return body.result
    }
    expect(await find('sourdough')).toMatchObject({ results: [{ recordId: 'bread' }], warnings: embedding })
    await successor.drainJobs()
    const found = await find('cheap car')
    expect([idsOf(found)[0], found.warnings]).toEqual(['car', undefined])
    await successor.app.http.close()
  })
})

test('two processes find at once what the other embedded', async () => {
  const second = await startOn(service.database, server.env)
  const find = async (query: string) =>
    idsOf((await second.call('/v2/memory/search', { query, limit: 1 }, ws.keyHeaders)).body.result)
  await add(CARS)
  await second.drainJobs()
  expect(await find('cheap car')).toEqual(['car'])
  await add([judgment('gone', 'affordable car'), judgment('car', 'sunny weather')])
  await service.drainJobs()
  expect(await find('cheap car')).toEqual(['gone'])
  expect(idsOf(await search({ query: 'cheap car', limit: 1 }))).toEqual(['gone'])
  await second.app.http.close()
})

test('a local ONNX model finds what shares no word with the query', async () => {
  const { directory, remove } = await tinyOnnxModel()
  const local = await startOn(service.database, { EMBEDDER: 'onnx', EMBEDDER_MODEL: directory })
  await add([judgment('bread', 'bread'), judgment('car', 'automobile')])
  await local.drainJobs()
  const asked = { query: 'car', embeddingType: 'content', limit: 1 }
  const { body } = await local.call('/v2/memory/search', asked, ws.keyHeaders)
  expect(body.result).toMatchObject({ results: [{ recordId: 'car' }] })
  await local.app.http.close()
  await local.app.services.embedder?.close()
  await remove()
})

test('no log line holds the key, a text or a query', async () => {
  let log = ''
  const config = readConfig({ ...server.env, EMBEDDER_API_KEY: 'sk-operator-secret', HOST: '127.0.0.1', PORT: '0' })
  const { http, worker } = createApp({
    config,
    database: service.database,
    secretKeys: parseSecretKeys(SECRET_KEYS),
    embedder: await openEmbedder(config),
    log: createLog({ logLevel: 'trace' }, { write: (line) => (log += line) }),
  })
  const url = await http.listen({ host: config.host, port: config.port })
  const find = () =>
    fetch(`${url}/v2/memory/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ws.keyHeaders },
      body: JSON.stringify({ data: { query: 'quaint query' } }),
    })
  await add(CARS)
  await worker.drain()
  await add([judgment('more', 'salty sourdough')])
  server.respond = ({ headers }) => ({ status: 401, body: `Incorrect API key provided: ${headers.authorization}` })
  await worker.drain()
  await find()
  await http.close()
  expect(server.received().at(-1)?.headers.authorization).toBe('Bearer sk-operator-secret')
  expect(log).toContain('judgments were not embedded')
  expect(log).toContain('a query was not embedded')
  expect(log).not.toMatch(/operator-secret|sourdough|quaint/)
})
