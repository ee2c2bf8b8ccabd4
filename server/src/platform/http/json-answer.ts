import { MadeLate, type Stream } from '../operation.ts'
import { ownTurn, restAfter } from '../turns/yield.ts'

/** The content type of every response in JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** A smaller answer is written at once, without a turn of its own: a turn costs more than writing it. */
const SMALL = 16 * 1024
/** A larger answer is written in pieces of about as many characters, as the reader takes them. */
const PIECE = 256 * 1024
/** A smaller part of it is written by one call. */
const PART = 32 * 1024
/** What a list that is read in batches holds at a time, at most about. */
const BATCH_BYTES = 8 * 1024 * 1024

/** An answer as JSON text, or as a stream of pieces where it is large. */
export type JsonAnswer = string | (Stream & { estimatedBytes: number })

/**
 * Writes `{"result": …}` (RFC 8259). All but a small answer waits for a turn of its own. A large answer is written in
 * pieces with rests between them, so that no response holds the process for long. A list in it may be an async iterable
 * of batches of items. What is `MadeLate` is made with the piece that it is in.
 */
export async function jsonAnswer(result: Record<string, unknown>): Promise<JsonAnswer> {
  if (estimate(result, SMALL) <= SMALL) return JSON.stringify({ result })
  await ownTurn()
  const estimatedBytes = estimate(result)
  if (estimatedBytes <= PIECE) return JSON.stringify({ result })
  return { contentType: JSON_TYPE, estimatedBytes, chunks: pieces(partsOf({ result })) }
}

/**
 * About how many characters a value takes as JSON. It looks at the lengths of texts only, and at nothing more once the
 * estimate exceeds `enough`.
 */
function estimate(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 5
  if (value instanceof MadeLate) return value.estimatedBytes
  if (isBatches(value)) return BATCH_BYTES
  let size = 2
  if (Array.isArray(value)) {
    for (const item of value) {
      if (size > enough) break
      size += estimate(item, enough - size) + 1
    }
  } else {
    for (const key in value) {
      if (size > enough) break
      size += key.length + 4 + estimate((value as Record<string, unknown>)[key], enough - size)
    }
  }
  return size
}

type Batches = AsyncIterable<unknown[]>

const isBatches = (value: object): value is Batches => Symbol.asyncIterator in value

/** The text of a value, part by part. Batches are parts of their own. */
function* partsOf(value: unknown): Generator<string | Batches> {
  if (typeof value !== 'object' || value === null || estimate(value, PART) <= PART)
    yield JSON.stringify(value) ?? 'null'
  else if (value instanceof MadeLate) yield* partsOf(value.toJSON())
  else if (isBatches(value)) yield value
  else if (Array.isArray(value)) {
    yield '['
    yield* partsOfItems(value)
    yield ']'
  } else {
    yield '{'
    yield* partsOfFields(value)
    yield '}'
  }
}

function* partsOfFields(fields: object): Generator<string | Batches> {
  let separator = ''
  for (const [key, item] of Object.entries(fields)) {
    if (item === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    yield* partsOf(item)
    separator = ','
  }
}

async function* pieces(parts: Iterable<string | Batches>): AsyncGenerator<string> {
  let text = ''
  let since = performance.now()
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      if (text.length < PIECE) continue
      await restAfter(since)
      yield text
    } else {
      yield `${text}[`
      yield* batchPieces(part)
      yield ']'
    }
    text = ''
    since = performance.now()
  }
  if (text) yield text
}

/** The items of all batches, separated by commas. */
async function* batchPieces(batches: Batches): AsyncGenerator<string> {
  let separator = ''
  for await (const batch of batches) {
    for await (const text of pieces(partsOfItems(batch))) {
      yield separator + text
      separator = ''
    }
    if (batch.length > 0) separator = ','
  }
}

/** Small items are written together: one call for each would take as long again as writing them. */
function* partsOfItems(items: unknown[]): Generator<string | Batches> {
  let [from, size] = [0, 0]
  for (let i = 0; i < items.length; i++) {
    const own = estimate(items[i], PART)
    size += own
    if (size <= PART) continue
    yield textOfItems(items, from, i)
    if (own <= PART) {
      from = i
      size = own
      continue
    }
    if (i > 0) yield ','
    yield* partsOf(items[i])
    from = i + 1
    size = 0
  }
  yield textOfItems(items, from, items.length)
}

/** The items of a list from a position to another, with the comma before them. */
function textOfItems(items: unknown[], from: number, to: number): string {
  if (from === to) return ''
  return (from > 0 ? ',' : '') + JSON.stringify(items.slice(from, to)).slice(1, -1)
}
