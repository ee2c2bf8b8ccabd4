import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  answerEmbeddings,
  type EmbeddingsServer,
  startEmbeddingsServer,
} from '../../../test/models/embeddings-server.ts'
import { readConfig } from '../config.ts'
import type { Embedder } from './embedder.ts'
import { openEmbedder } from './open-embedder.ts'

let server: EmbeddingsServer
beforeEach(async () => {
  server = await startEmbeddingsServer()
  server.respond = answerEmbeddings
})
afterEach(() => server.close())

const open = async (env: Record<string, string>) =>
  (await openEmbedder(readConfig({ ...server.env, ...env }))) as Embedder
const E5 = { EMBEDDER_QUERY_PREFIX: 'query:', EMBEDDER_PASSAGE_PREFIX: 'passage: ' }

test('the model reads one prefix before queries, another before texts to be found', async () => {
  const embedder = await open(E5)
  await embedder.embed(['a car'], { purpose: 'search' })
  await embedder.embed(['a truck', 'a bus'], { purpose: 'background' })
  await embedder.embed(['a probe'], { purpose: 'background', as: 'query' })
  expect(server.texts()).toEqual(['query: a car', 'passage: a truck', 'passage: a bus', 'query: a probe'])
  await embedder.close()
})

test('without prefixes texts are unchanged', async () => {
  const embedder = await open({})
  await embedder.embed(['a car'], { purpose: 'search' })
  expect(server.texts()).toEqual(['a car'])
  await embedder.close()
})

test('another passage prefix makes another model, another query prefix does not', async () => {
  const [plain, both, query, other] = await Promise.all([
    open({}),
    open(E5),
    open({ EMBEDDER_QUERY_PREFIX: 'ask:' }),
    open({ ...E5, EMBEDDER_PASSAGE_PREFIX: 'text:' }),
  ])
  expect(query.model).toBe(plain.model)
  expect(new Set([plain.model, both.model, other.model]).size).toBe(3)
  for (const each of [plain, both, query, other]) await each.close()
})
