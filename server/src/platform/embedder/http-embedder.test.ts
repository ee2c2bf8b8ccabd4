import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ReceivedRequest, type Receiver, type Reply, startReceiver } from '../../../test/receiver.ts'
import { readConfig } from '../config.ts'
import type { Embedder } from './embedder.ts'
import { httpEmbedder } from './http-embedder.ts'

let receiver: Receiver
let embedder: Embedder
beforeEach(async () => {
  receiver = await startReceiver({ respond: answer })
  embedder = httpEmbedder(
    readConfig({
      EMBEDDER: 'openai',
      EMBEDDER_URL: `${receiver.url}/v1/`,
      EMBEDDER_MODEL: 'tiny',
      EMBEDDER_API_KEY: 'sk-operator',
      OUTBOUND_ALLOW: '',
    }),
  )
})
afterEach(async () => {
  await embedder.close()
  await receiver.close()
})

const background = { purpose: 'background' } as const
const inputOf = ({ body }: ReceivedRequest): string[] => JSON.parse(body.toString()).input
const reply = (body: unknown): Reply => ({ status: 200, body: JSON.stringify(body) })
/** Each text becomes [its length, 1], in reverse order. */
function answer(request: ReceivedRequest): Reply {
  const data = inputOf(request).map((text, index) => ({ index, embedding: [text.length, 1] }))
  return reply({ data: data.toReversed() })
}

test('texts are sent to {EMBEDDER_URL}/embeddings with the model and the key; vectors come in their order, of length 1', async () => {
  const [first, second] = await embedder.embed(['abc', ''], background)
  expect(Array.from(first ?? [])).toEqual([expect.closeTo(0.9487, 4), expect.closeTo(0.3162, 4)])
  expect(Array.from(second ?? [])).toEqual([0, 1])
  const [request] = receiver.received()
  expect(request).toMatchObject({ url: '/v1/embeddings', method: 'POST' })
  expect(request?.headers.authorization).toBe('Bearer sk-operator')
  expect(JSON.parse(String(request?.body))).toEqual({ model: 'tiny', input: ['abc', ''], encoding_format: 'float' })
})

test('the key of a customer takes the place of the operator’s', async () => {
  await embedder.embed(['a'], { purpose: 'search', apiKey: 'sk-customer' })
  expect(receiver.received()[0]?.headers.authorization).toBe('Bearer sk-customer')
})

test('requests hold at most 64 texts and 100,000 characters', async () => {
  const texts = [...Array.from({ length: 100 }, () => 'short'), 'x'.repeat(60_000), 'y'.repeat(60_000)]
  expect(await embedder.embed(texts, background)).toHaveLength(102)
  expect(receiver.received().map((request) => inputOf(request).length)).toEqual([64, 37, 1])
})

test.each<[string, Reply]>([
  ['429', { status: 429, headers: { 'retry-after': '0' } }],
  ['503', { status: 503 }],
  ['a broken connection', 'reset'],
])('%s is tried again in the background', async (_, failure) => {
  receiver.respond = (request, index) => (index === 0 ? failure : answer(request))
  expect(await embedder.embed(['a'], background)).toHaveLength(1)
  expect(receiver.received()).toHaveLength(2)
})

test('Retry-After is waited for when it is short', async () => {
  receiver.respond = (request, index) =>
    index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : answer(request)
  await embedder.embed(['a'], background)
  const [first, second] = receiver.received()
  expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThanOrEqual(990)
})

test('a long Retry-After is told to the caller', async () => {
  receiver.respond = () => ({ status: 429, headers: { 'retry-after': '60' } })
  await expect(embedder.embed(['a'], background)).rejects.toMatchObject({
    failure: 'unavailable',
    retryAfterMs: 60_000,
  })
  expect(receiver.received()).toHaveLength(1)
})

test('a search is tried once', async () => {
  receiver.respond = () => ({ status: 503 })
  await expect(embedder.embed(['a'], { purpose: 'search' })).rejects.toMatchObject({ failure: 'unavailable' })
  expect(receiver.received()).toHaveLength(1)
})

test('a search waits two seconds for a service that does not answer', async () => {
  receiver.respond = () => 'hang'
  await expect(embedder.embed(['a'], { purpose: 'search' })).rejects.toThrow(/No answer within 2000 ms/)
})

test('what is refused is not tried again, and the reason is not repeated: it may hold the key', async () => {
  for (const [status, failure] of [
    [401, 'refused-key'],
    [400, 'refused-input'],
  ] as const) {
    receiver.respond = () => ({ status, body: 'Incorrect API key provided: sk-operator' })
    const error = await embedder.embed(['a'], background).catch((each: Error) => each)
    expect(error).toMatchObject({ failure, message: `The embeddings service answered ${status}.` })
  }
  expect(receiver.received()).toHaveLength(2)
})

describe('an answer is refused that holds', () => {
  const item = (embedding: unknown, index: unknown = 0) => ({ index, embedding })
  test.each<[string, unknown, RegExp]>([
    ['too few vectors', { data: [item([1])] }, /no list of 2 vectors/],
    ['no list', {}, /no list/],
    ['null', null, /no list/],
    ['an index twice', { data: [item([1]), item([1])] }, /wrong index/],
    ['an index beyond the texts', { data: [item([1]), item([1], 2)] }, /wrong index/],
    ['vectors of several lengths', { data: [item([1]), item([1, 2], 1)] }, /several lengths/],
    ['no numbers', { data: [item([1]), item(['1'], 1)] }, /no vector of numbers/],
    ['an empty vector', { data: [item([1]), item([], 1)] }, /no vector of numbers/],
    ['an infinite number', '{"data":[{"embedding":[1]},{"embedding":[1e999]}]}', /no vector of numbers/],
    ['no JSON', '<html>', /no JSON/],
  ])('%s', async (_, body, message) => {
    receiver.respond = () => ({ status: 200, body: typeof body === 'string' ? body : JSON.stringify(body) })
    await expect(embedder.embed(['a', 'b'], { purpose: 'search' })).rejects.toThrow(message)
  })
})
