import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { gate } from '../../../../test/gate.ts'
import {
  answerEmbeddings,
  type EmbeddingsServer,
  inputOf,
  startEmbeddingService,
} from '../../../../test/models/embeddings-server.ts'
import { newWorkspace, type Service, type TestWorkspace } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'
import { recordJudgments } from '../judgment/record-judgments.ts'

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
  ws = await newWorkspace(service)
})

const judgment = (recordId: string, content: string, others: object = {}) => ({
  recordId,
  decision: 'approve',
  reasoning: 'As ever.',
  content,
  actionUser: { userId: 'u', name: 'U' },
  ...others,
})
const add = (judgments: object[]) => ws.ok('/v2/memory/judgments/add', { judgments })
const CARS = [judgment('a', 'inexpensive automobile'), judgment('b', 'affordable vehicle')]
const OTHER = judgment('c', 'crusty sourdough loaf', { decision: 'reject' })

/** Found by vectors alone: no judgment shares a word with the query. */
async function found() {
  const { results } = await ws.ok('/v2/memory/search', { query: 'cheap car', embeddingType: 'content', limit: 2 })
  return results.map(({ recordId }: { recordId: string }) => recordId).sort()
}
const suggested = async () =>
  (await ws.ok('/v2/memory/suggest', { query: 'cheap car' })).primary?.supportingRecordIds.sort()

test('the vector of a text that was overwritten counts no more, before the new text has one', async () => {
  await add([...CARS, OTHER])
  await service.drainJobs()
  expect([await found(), await suggested()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
  await add([judgment('a', 'velvet curtain')])
  expect([await found(), await suggested()]).toEqual([['b', 'c'], undefined])
  await add([judgment('a', 'cheap vehicle')])
  await service.drainJobs()
  expect([await found(), await suggested()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
})

test('a vector that the database has no more, or another of, counts no more', async () => {
  await add([...CARS, OTHER])
  await service.drainJobs()
  await found()
  await service.database.query(sql`
    delete from judgment_vector v
    using judgment j
    where v.api_key = ${ws.apiKey} and j.api_key = v.api_key and j.key = v.key and j.record_id = 'a'`)
  expect([await found(), await suggested()]).toEqual([['b', 'c'], undefined])
  await service.database.query(sql`
    update judgment_vector v
    set number = v.number + 100
    from judgment j
    where v.api_key = ${ws.apiKey} and j.api_key = v.api_key and j.key = v.key and j.record_id = 'b'`)
  expect(await found()).toEqual(['c'])
})

test('a judgment whose texts stay as they are keeps its vectors', async () => {
  await add(CARS)
  await service.drainJobs()
  const embedded = server.received().length
  await add([judgment('a', 'inexpensive automobile', { confidence: 0.5 })])
  expect(await found()).toEqual(['a', 'b'])
  await add([judgment('a', 'inexpensive automobile', { reasoning: 'For another reason.' })])
  const vectors = await service.database.query<{ field: string }>(sql`
    select v.field
    from judgment_vector v
    join judgment j on j.api_key = v.api_key and j.key = v.key
    where v.api_key = ${ws.apiKey} and j.record_id = 'a'`)
  expect(vectors).toEqual([{ field: 'content' }])
  // The query only.
  expect(server.received()).toHaveLength(embedded + 1)
})

test('the customer’s own key is sent with queries', async () => {
  await add(CARS)
  await service.drainJobs()
  await found()
  await ws.ok('/v2/workspace/apikeyconfig/update', {
    aiModelApiKey: [{ provider: 'openai', customerApiKey: 'sk-customer-1234' }],
  })
  await suggested()
  await ws.ok('/v2/memory/search', { query: 'a bargain of a car' })
  const keys = server
    .received()
    .map(({ headers, body }) => [body.toString().includes('bargain'), headers.authorization])
  expect(keys.at(-1)).toEqual([true, 'Bearer sk-customer-1234'])
  expect(keys.at(-2)).toEqual([false, undefined])
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a vector that was made of a text while it was being overwritten is not stored',
  async () => {
    const [asked, answer] = [gate(), gate()]
    server.respond = async (request) => {
      if (!inputOf(request).input.includes('inexpensive automobile')) return answerEmbeddings(request)
      asked.open()
      await answer.opened
      return answerEmbeddings(request)
    }
    await add([judgment('a', 'inexpensive automobile')])
    const embedding = service.drainJobs()
    await asked.opened
    server.respond = () => ({ status: 503 })
    await service.database.transaction(async (db) => {
      await recordJudgments(db, { apiKey: ws.apiKey, workspaceId: ws.id }, [OVERWRITTEN])
      answer.open()
      // Long enough to be stored if no lock held it.
      await delay(300)
    })
    await embedding
    const vectors = await service.database.query(sql`select from judgment_vector where api_key = ${ws.apiKey}`)
    expect(vectors).toHaveLength(0)
  },
)

const OVERWRITTEN = {
  ...{ recordId: 'a', organizationKey: null, documentKey: null, annotationId: null },
  ...{ decision: 'reject', reasoning: 'For another reason.', content: 'velvet curtain', contentUserId: null },
  ...{ contentType: null, confidence: 1, judgeType: 'human' as const, agent: null },
  ...{ reviewer: { userId: 'u', name: 'U' }, createdAt: null, source: 'import' as const },
}
