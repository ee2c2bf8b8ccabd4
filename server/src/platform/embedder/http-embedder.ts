import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { createModelService } from '../outbound/model-service.ts'
import { isSuccess, OutboundError, type OutboundResponse } from '../outbound/outbound.ts'
import { retryAfterMs } from '../outbound/retry-after.ts'
import { type Embedder, EmbedderError, type EmbedOptions, MAX_DIMENSIONS, SEARCH_TIMEOUT_MS } from './embedder.ts'
import { unitVector } from './unit-vector.ts'

const BACKGROUND_TIMEOUT_MS = 30_000
const BACKGROUND_ATTEMPTS = 3
const FIRST_WAIT_MS = 500
/** If asked to wait longer than this, a call fails and leaves the wait to its caller. */
const LONGEST_WAIT_MS = 5_000
// A longer Retry-After is cut to this.
const LONGEST_RETRY_AFTER_MS = 3_600_000
/** The number of texts that every embeddings service accepts in one request. */
const BATCH_TEXTS = 64
const BATCH_CHARACTERS = 100_000
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/**
 * An embeddings service with OpenAI's `POST /embeddings`. Requests are limited in texts and characters, and have a
 * timeout. They are retried after 408, 429, 5xx and broken connections, no earlier than `Retry-After` asks.
 */
export function httpEmbedder({ embedderUrl = '', embedderModel = '', embedderApiKey }: Config): Embedder {
  const service = createModelService(embedderUrl, '/embeddings', MAX_ANSWER_BYTES)

  async function attempt(texts: string[], { purpose, apiKey = embedderApiKey }: EmbedOptions): Promise<Float32Array[]> {
    const body = { model: embedderModel, input: texts, encoding_format: 'float' }
    const timeoutMs = purpose === 'search' ? SEARCH_TIMEOUT_MS : BACKGROUND_TIMEOUT_MS
    const response = await service.post(body, { apiKey, timeoutMs })
    if (!isSuccess(response.status)) throw failureOf(response)
    return vectorsOf(response.body, texts.length)
  }

  async function embedBatch(texts: string[], options: EmbedOptions): Promise<Float32Array[]> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(texts, options)
      } catch (error) {
        const failure = toEmbedderError(error)
        const wait = Math.max(failure.retryAfterMs, FIRST_WAIT_MS * 2 ** (attempts - 1) * (1 + Math.random() / 5))
        const isLast = options.purpose === 'search' || attempts === BACKGROUND_ATTEMPTS || wait > LONGEST_WAIT_MS
        if (failure.failure !== 'unavailable' || isLast) throw failure
        await delay(wait)
      }
    }
  }

  return {
    model: embedderModel,
    async embed(texts, options) {
      const vectors: Float32Array[] = []
      for (const batch of batches(texts)) vectors.push(...(await embedBatch(batch, options)))
      if (vectors.some(({ length }) => length !== vectors[0]?.length)) throw unreadable('vectors of several lengths')
      return vectors
    },
    close: () => service.close(),
  }
}

function* batches(texts: string[]): Generator<string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    if (batch.length === BATCH_TEXTS || (batch.length > 0 && characters + text.length > BATCH_CHARACTERS)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(text)
    characters += text.length
  }
  if (batch.length > 0) yield batch
}

/** The service's own error text is not read: it may repeat the key or the texts. */
function failureOf({ status, headers }: OutboundResponse): EmbedderError {
  const said = `The embeddings service answered ${status}.`
  if (status === 401 || status === 403) return new EmbedderError('refused-key', said)
  if (status === 400 || status === 413 || status === 422) return new EmbedderError('refused-input', said)
  const asked = retryAfterMs(headers['retry-after'], Date.now())
  return new EmbedderError('unavailable', said, Math.min(asked, LONGEST_RETRY_AFTER_MS))
}

function toEmbedderError(error: unknown): EmbedderError {
  if (error instanceof EmbedderError) return error
  if (error instanceof OutboundError) {
    return new EmbedderError('unavailable', `The embeddings service was not reached: ${error.message}`)
  }
  throw error
}

interface Item {
  index?: unknown
  embedding?: unknown
}

/** The vectors of a response in the order of the texts, each scaled to length 1. */
function vectorsOf(body: Buffer, count: number): Float32Array[] {
  const { data } = parse(body) as { data?: unknown }
  if (!Array.isArray(data) || data.length !== count) throw unreadable(`no list of ${count} vectors`)
  const vectors = new Array<Float32Array | undefined>(count)
  for (const [position, item] of (data as (Item | null)[]).entries()) {
    const index = item?.index ?? position
    const isPlace = Number.isInteger(index) && (index as number) >= 0 && (index as number) < count
    if (!isPlace || vectors[index as number]) throw unreadable('a wrong index')
    vectors[index as number] = vectorOf(item?.embedding)
  }
  return vectors as Float32Array[]
}

function parse(body: Buffer): object {
  try {
    return Object(JSON.parse(body.toString('utf8')))
  } catch {
    throw unreadable('no JSON')
  }
}

function vectorOf(embedding: unknown): Float32Array {
  const isVector = Array.isArray(embedding) && embedding.length > 0 && embedding.length <= MAX_DIMENSIONS
  if (!isVector || !embedding.every((value) => typeof value === 'number' && Number.isFinite(value))) {
    throw unreadable('what is no vector of numbers')
  }
  return unitVector(embedding)
}

const unreadable = (what: string) => new EmbedderError('unavailable', `The embeddings service answered ${what}.`)
