import { afterEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/db.ts'
import { answerEmbeddings, startEmbeddingsServer } from '../models/embeddings-server.ts'
import { freshNativeUrl } from '../running-service.ts'
import { newCustomer } from './customer.ts'
import { openForReading, startServer } from './processes.ts'

const JUDGMENTS = 200
const TIMEOUT = 180_000

describe.runIf(process.env.TEST_DATABASE === 'postgres')('embedding in processes of their own', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  test(
    'a worker that is killed in the middle is taken over by others, and all judgments are found by meaning',
    async () => {
      const databaseUrl = await freshNativeUrl()
      const embeddings = await startEmbeddingsServer()
      closing.push(embeddings.close)
      const start = async (role: 'api' | 'worker') => {
        const server = await startServer(role, databaseUrl, embeddings.env)
        closing.push(() => server.stop('SIGKILL'))
        return server
      }
      const api = await start('api')
      const database = await openForReading(databaseUrl)
      closing.push(() => database.close())
      const customer = await newCustomer(async () => api.url)
      const result = async <Path extends string>(path: Path, data: object) =>
        (await customer.call(path, data)).body.result
      const judgments = Array.from({ length: JUDGMENTS }, (_, i) => ({
        recordId: `r${i}`,
        decision: 'approve',
        reasoning: `Reason ${i}`,
        content: i === 7 ? 'inexpensive automobile' : `Weather report ${i}`,
        actionUser: { userId: 'u', name: 'U' },
      }))

      embeddings.respond = (request, index) => (index < 3 ? answerEmbeddings(request) : 'hang')
      await result('/v2/memory/judgments/add', { judgments })
      const victim = await start('worker')
      await embeddings.next(4)
      await victim.stop('SIGKILL')
      embeddings.respond = answerEmbeddings
      // Its claim ends a minute later.
      await database.query(sql`update judgment_embedding set due_at = 0`)
      await Promise.all([start('worker'), start('worker')])

      const progress = async () => (await result('/v2/memory/stats/get', {})).embedding
      const embedded = { model: 'synonyms-1', embedded: JUDGMENTS, pending: 0 }
      await expect.poll(progress, { timeout: TIMEOUT, interval: 200 }).toEqual(embedded)
      const query = { query: 'cheap car', embeddingType: 'content', limit: 1 }
      const search = () => result('/v2/memory/search', query)
      await expect.poll(search, { timeout: TIMEOUT, interval: 200 }).not.toHaveProperty('warnings')
      expect((await search()).results).toMatchObject([{ recordId: 'r7' }])
      const [vectors] = await database.query(sql`
        select count(*) as count, count(distinct number) as numbers, count(embedding) as embedded from judgment_vector`)
      expect(vectors).toEqual({ count: 2 * JUDGMENTS, numbers: 2 * JUDGMENTS, embedded: 2 * JUDGMENTS })
    },
    TIMEOUT,
  )
})
