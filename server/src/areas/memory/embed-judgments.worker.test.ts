import { EventEmitter, once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  answerEmbeddings,
  type EmbeddingsServer,
  inputOf,
  startEmbeddingService,
} from '../../../test/models/embeddings-server.ts'
import { newWorkspace, type Service, startOn, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import type { Embedder } from '../../platform/embedder/embedder.ts'
import { judgmentEmbeddings } from './embed-judgments.worker.ts'

let server: EmbeddingsServer
let service: Service
let ws: TestWorkspace
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ server, service, stop } = await startEmbeddingService())
})
afterAll(() => stop())
beforeEach(async () => {
  ws = await newWorkspace(service)
})
afterEach(async () => {
  server.respond = answerEmbeddings
  service.clock.ahead += 3_600_000
  await service.drainJobs()
  server.texts()
})

const judgment = (recordId: string, content: string, others: object = {}) => ({
  recordId,
  decision: 'approve',
  reasoning: `Reason of ${recordId}`,
  content,
  actionUser: { userId: 'u', name: 'U' },
  ...others,
})
const add = (judgments: object[], of = ws) => of.ok('/v2/memory/judgments/add', { judgments })
interface Row {
  id: string
  field: string
  model: string
  dimensions: number | null
}
const vectors = (of = ws) =>
  service.database.query<Row>(sql`
    select j.record_id as id, v.field, v.model, cardinality(v.embedding) as dimensions
    from judgment_vector v
    join judgment j on j.api_key = v.api_key and j.key = v.key
    where v.api_key = ${of.apiKey}
    order by j.record_id, v.field desc`)
const progress = async (of = ws) => (await of.ok('/v2/memory/stats/get')).embedding

test('no request waits for the model: judgments are embedded after the commit, decision with reasoning, and content', async () => {
  server.respond = () => 'hang'
  await add([judgment('a', 'A car'), judgment('b', '')])
  expect(server.texts()).toEqual([])
  expect(await progress()).toEqual({ model: 'synonyms-1', embedded: 0, pending: 2 })
})

test('one text is embedded once, and none that is empty', async () => {
  await add([judgment('a', 'A car'), judgment('b', ''), judgment('c', 'A car')])
  await service.drainJobs()
  const texts = server.texts()
  expect(texts.filter((text) => text === 'A car')).toHaveLength(1)
  expect(texts).toContain('approve Reason of a')
  expect(texts).not.toContain('')
  expect(await vectors()).toEqual([
    { id: 'a', field: 'review', model: 'synonyms-1', dimensions: 64 },
    { id: 'a', field: 'content', model: 'synonyms-1', dimensions: 64 },
    { id: 'b', field: 'review', model: 'synonyms-1', dimensions: 64 },
    { id: 'c', field: 'review', model: 'synonyms-1', dimensions: 64 },
    { id: 'c', field: 'content', model: 'synonyms-1', dimensions: 64 },
  ])
  expect(await progress()).toEqual({ model: 'synonyms-1', embedded: 3, pending: 0 })
})

test('the newest judgments come first, and all of them come', async () => {
  await add(Array.from({ length: 100 }, (_, i) => judgment(`old-${i}`, `Old text ${i}`)))
  await add([judgment('new', 'New text')])
  await service.drainJobs()
  const texts = server.texts()
  expect(texts.indexOf('New text')).toBeLessThan(texts.indexOf('Old text 99'))
  expect(texts.indexOf('Old text 99')).toBeLessThan(texts.indexOf('Old text 0'))
  expect(await progress()).toMatchObject({ embedded: 101, pending: 0 })
})

test('a text that changes is embedded again, others are not', async () => {
  await add([judgment('a', 'A car'), judgment('b', 'A boat')])
  await service.drainJobs()
  await add([judgment('a', 'A plane'), judgment('b', 'A boat', { confidence: 0.5 })])
  expect(await progress()).toMatchObject({ pending: 2 })
  server.texts()
  await service.drainJobs()
  expect(server.texts()).toEqual(['A plane'])
  expect(await progress()).toMatchObject({ pending: 0 })
})

test('vectors go with their judgments', async () => {
  await add([judgment('a', 'A car'), judgment('b', 'A boat')])
  await service.drainJobs()
  await ws.ok('/v2/memory/judgments/delete', { recordIds: ['a'] })
  expect((await vectors()).map(({ id }) => id)).toEqual(['b', 'b'])
})

test('the vector of a text that a forgotten user wrote goes with the text', async () => {
  const place = { organizationId: 'acme', documentId: 'doc' }
  const documents = [{ documentId: 'doc' }]
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', createOrganization: true, documents })
  const comments = [
    { commentText: 'A secret car', from: { userId: 'writer' } },
    { commentText: 'Fine', from: { userId: 'reviewer' } },
  ]
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [{ annotationId: 't', commentData: comments }],
  })
  await ws.ok('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['t'],
    updatedData: { status: { id: 'APPROVED', type: 'terminal' } },
    actionUser: { userId: 'reviewer' },
  })
  await service.drainJobs()
  expect((await vectors()).map(({ field }) => field)).toEqual(['review', 'content'])
  await ws.ok('/v2/users/data/delete', { userIds: ['writer'] })
  await service.drainJobs()
  expect((await vectors()).map(({ field, dimensions }) => [field, dimensions])).not.toContainEqual(['content', 64])
})

test('while the service is down nothing is lost, and it is asked again later', async () => {
  server.respond = () => ({ status: 503, headers: { 'retry-after': '60' } })
  await add([judgment('a', 'A car')])
  await service.drainJobs()
  expect(server.texts()).not.toEqual([])
  await service.drainJobs()
  expect(server.texts()).toEqual([])
  expect(await progress()).toMatchObject({ embedded: 0, pending: 1 })
  server.respond = answerEmbeddings
  service.clock.ahead += 61_000
  await service.drainJobs()
  expect(await progress()).toMatchObject({ embedded: 1, pending: 0 })
})

test('a text that the model refuses is shortened, then left out; the others are embedded', async () => {
  const isRefused = (text: string) => text.length > 2_000 || text.includes('poison')
  server.respond = (request) => (inputOf(request).input.some(isRefused) ? { status: 400 } : answerEmbeddings(request))
  await add([judgment('a', 'A car'), judgment('b', 'poison'), judgment('c', 'long '.repeat(1_000))])
  await service.drainJobs()
  const dimensions = (await vectors()).filter(({ field }) => field === 'content').map(({ dimensions: each }) => each)
  expect(dimensions).toEqual([64, null, 64])
  expect(await progress()).toMatchObject({ pending: 0 })
})

test('a service that refuses everything is waited for: no text is given up', async () => {
  await add([judgment('a', 'A car')])
  await service.drainJobs()
  server.respond = () => ({ status: 400 })
  await add([judgment('b', 'A boat')])
  await service.drainJobs()
  expect(await progress()).toMatchObject({ embedded: 1, pending: 1 })
  server.respond = answerEmbeddings
  service.clock.ahead += 10_000
  await service.drainJobs()
  expect((await vectors()).map(({ dimensions }) => dimensions)).toEqual([64, 64, 64, 64])
})

test('another model embeds everything again, and the vectors of the former one are removed', async () => {
  await add([judgment('a', 'A car'), judgment('b', 'A boat')])
  await service.drainJobs()
  const successor = await startOn(service.database, { ...server.env, EMBEDDER_MODEL: 'synonyms-2' })
  onTestFinished(() => successor.app.http.close())
  await successor.drainJobs()
  expect(new Set((await vectors()).map(({ model }) => model))).toEqual(new Set(['synonyms-2']))
  expect(await vectors()).toHaveLength(4)
})

test('a claim that was lost with its process is taken over', async () => {
  await add([judgment('a', 'A car')])
  await service.database.query(sql`
    insert into judgment_embedding (api_key, model, attempt, due_at)
    values (${ws.apiKey}, 'synonyms-1', 1, ${service.app.services.clock.now() + 300_000}::bigint)`)
  await service.drainJobs()
  expect(await progress()).toMatchObject({ pending: 1 })
  service.clock.ahead += 300_001
  await service.drainJobs()
  expect(await progress()).toMatchObject({ pending: 0 })
})

test('the customer’s own key is sent for the texts of its API key alone', async () => {
  const other = await newWorkspace(service)
  await ws.ok('/v2/workspace/apikeyconfig/update', {
    aiModelApiKey: [{ provider: 'openai', customerApiKey: 'sk-customer-1234' }],
  })
  await add([judgment('a', 'My car')])
  await add([judgment('b', 'My boat')], other)
  await service.drainJobs()
  const keys = server.received().map((request) => {
    const text = inputOf(request).input.find((each) => /^My /.test(each))
    return [text, request.headers.authorization]
  })
  expect(keys).toContainEqual(['My car', 'Bearer sk-customer-1234'])
  expect(keys).toContainEqual(['My boat', undefined])
})

test('progress is measured', async () => {
  const gauge = async () => {
    const { text } = await service.app.services.metrics.render()
    return Number(/^judgment_changes_unembedded (\d+)/m.exec(text)?.[1])
  }
  server.respond = () => ({ status: 503, headers: { 'retry-after': '60' } })
  await add([judgment('a', 'A car'), judgment('b', 'A boat')])
  service.clock.ahead += 15_000
  await service.drainJobs()
  expect(await gauge()).toBe(2)
  server.respond = answerEmbeddings
  service.clock.ahead += 60_000
  await service.drainJobs()
  service.clock.ahead += 15_000
  await service.drainJobs()
  expect(await gauge()).toBe(0)
})

test('what a model answers after the lease of its batch is kept, though another process works on it by then', async () => {
  await add([judgment('a', 'A car')])
  const { database, app } = service
  const real = app.services.embedder as Embedder
  const events = new EventEmitter()
  const isAsked = once(events, 'asked')
  const mayAnswer = once(events, 'answer')
  const slow: Embedder = {
    ...real,
    model: real.model,
    async embed(texts, options) {
      events.emit('asked')
      await mayAnswer
      return real.embed(texts, options)
    },
  }
  const services = { ...app.services, embedder: slow }
  const late = judgmentEmbeddings({ reads: database, db: database.work, services })
  await late?.work(() => {})
  await isAsked
  service.clock.ahead += 61_000
  const hanging = { ...app.services, embedder: { ...slow, embed: () => new Promise<never>(() => {}) } }
  void judgmentEmbeddings({ reads: database, db: database.work, services: hanging })?.work(() => {})
  const claims = () =>
    database.query<{ attempt: number }>(sql`
    select attempt from judgment_embedding where api_key = ${ws.apiKey}`)
  await expect.poll(claims).toEqual([{ attempt: 2 }])
  events.emit('answer')
  await late?.settle?.()
  expect(await vectors()).toHaveLength(2)
})

test('an API key whose texts take long holds up no other', async () => {
  const { database, app } = service
  const real = app.services.embedder as Embedder
  const events = new EventEmitter()
  const mayAnswer = once(events, 'answer')
  const sometimesSlow: Embedder = {
    ...real,
    model: real.model,
    async embed(texts, options) {
      if (texts.includes('A tortoise')) await mayAnswer
      return real.embed(texts, options)
    },
  }
  const services = { ...app.services, embedder: sometimesSlow }
  const source = judgmentEmbeddings({ reads: database, db: database.work, services })
  const other = await newWorkspace(service)
  await add([{ ...judgment('a', 'A car'), content: 'A tortoise' }])
  expect(await source?.work(() => {})).toBe(1)
  await add([judgment('a', 'A car')], other)
  expect(await source?.work(() => {})).toBe(1)
  await source?.settle?.()
  expect([(await vectors(other)).length, (await vectors()).length]).toEqual([2, 0])
  events.emit('answer')
  await source?.settle?.()
  expect(await vectors()).toHaveLength(2)
})
