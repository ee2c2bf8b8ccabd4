import type { WorkerContext } from '../../platform/context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Embedder, EmbedderError } from '../../platform/embedder/embedder.ts'
import { InProgress } from '../../platform/work/in-progress.ts'
import type { Source } from '../../platform/work/worker.ts'
import { readModelKey } from '../workspaces/setting/model-key.ts'
import { TEXT_FIELDS, textHash, textOf } from './judgment/judgment-text.ts'
import { recordVectors, type TextVector } from './vectors/judgment-vector.ts'
import { preparePgvector } from './vectors/pgvector.ts'
import { PROBES, type SimilarityBaseline, similarityBaseline } from './vectors/similarity-baseline.ts'
import { tellingVector } from './vectors/telling-vector.ts'
import {
  type Claimed,
  claimUnembedded,
  complete,
  countUnseen,
  embeddingIsDue,
  type Gap,
  postpone,
  readGap,
} from './vectors/vector-progress.ts'

/** API keys embedded at a time. None waits for the batch of another. */
const PARALLEL = 4
/** The most judgments of a batch. */
const BATCH = 64
/** How much is kept of a text that the model refuses, in case it is too long. */
const SHORTENED_CHARACTERS = 1_500
const LONGEST_WAIT_MS = 600_000
const MEASURE_EVERY_MS = 15_000

type EmbeddingContext = Omit<WorkerContext, 'mailer'>

/**
 * Embeds the judgments that the model has not seen, the newest first. Work that fails, or whose process dies, is
 * claimed again. Undefined without a configured model.
 */
export function judgmentEmbeddings(context: EmbeddingContext): Source | undefined {
  const { embedder } = context.services
  return embedder && new Embeddings(context, embedder)
}

class Embeddings implements Source {
  readonly name = 'judgment embeddings'
  readonly #context: EmbeddingContext
  readonly #embedder: Embedder
  readonly #embedding = new InProgress<Claimed>()
  #measureAt = 0
  #isPrepared = false
  #schedule: (inMs: number) => void = () => {}

  constructor(context: EmbeddingContext, embedder: Embedder) {
    this.#context = context
    this.#embedder = embedder
  }

  async work(schedule: (inMs: number) => void): Promise<number> {
    this.#schedule = schedule
    const { reads, db, services } = this.#context
    const { clock, log, metrics } = services
    const { model } = this.#embedder
    if (!this.#isPrepared) await preparePgvector(db, log)
    this.#isPrepared = true
    const free = PARALLEL - this.#embedding.size
    const claimed = free > 0 ? await claimUnembedded(db, model, free, clock.now()) : []
    for (const claim of claimed) this.#start(claim)
    if (clock.now() >= this.#measureAt) {
      this.#measureAt = clock.now() + MEASURE_EVERY_MS
      metrics.unembeddedChanges.set(await countUnseen(reads, model))
    }
    schedule(this.#measureAt - clock.now())
    return claimed.length
  }

  due(): Sql {
    return embeddingIsDue(this.#embedder.model, this.#context.services.clock.now())
  }

  settle(): Promise<number> {
    return this.#embedding.settle()
  }

  #start(claim: Claimed): void {
    // Where not even a failure can be recorded, the lease ends.
    const ended = this.#embedOrPostpone(claim).catch((error: unknown) => {
      this.#context.services.log.error({ err: error, attempt: claim.attempt }, 'judgments were not embedded')
    })
    this.#embedding.add(claim, ended, () => this.#schedule(0))
  }

  async #embedOrPostpone(claim: Claimed): Promise<void> {
    const { db, services } = this.#context
    const { clock, log, metrics } = services
    try {
      await this.#embedSome(claim)
    } catch (error) {
      const isExpected = error instanceof EmbedderError
      const reason = isExpected ? error.message : 'The database failed.'
      const wait = Math.max(isExpected ? error.retryAfterMs : 0, Math.min(1_000 * 2 ** claim.attempt, LONGEST_WAIT_MS))
      metrics.embeddings.inc({ outcome: 'failed' })
      log.warn({ ...(!isExpected && { err: error }), reason, attempt: claim.attempt }, 'judgments were not embedded')
      await postpone(db, claim, clock.now() + wait, reason)
    }
  }

  async #embedSome(claim: Claimed): Promise<void> {
    const { reads, db, services } = this.#context
    const { clock, metrics, secrets } = services
    const embedder = this.#embedder
    const gap = await readGap(reads, claim, BATCH)
    if (!gap) return complete(db, claim, clock.now())
    const apiKey = await readModelKey(reads, claim, secrets)
    const texts = changedTexts(gap)
    const baseline = claim.baselineMean === null && texts.length > 0 ? await measure(embedder, apiKey) : null
    const vectors = await embedTexts(embedder, apiKey, texts)
    const dimensions = vectors.find(({ embedding }) => embedding)?.embedding?.length ?? null
    if (dimensions !== null && claim.dimensions !== null && dimensions !== claim.dimensions) {
      throw new EmbedderError('unavailable', `The model answers ${dimensions} dimensions, ${claim.dimensions} before.`)
    }
    await recordVectors(db, claim, { gap, vectors, dimensions, baseline }, clock.now())
    const refused = vectors.filter(({ embedding, text }) => !embedding && text !== '').length
    metrics.embeddings.inc({ outcome: 'refused' }, refused)
    metrics.embeddings.inc({ outcome: 'embedded' }, vectors.length - refused)
  }
}

type Text = Omit<TextVector, 'embedding'> & { text: string }

/** The texts without a vector, or with the vector of an earlier text. */
function changedTexts({ judgments }: Gap): Text[] {
  return judgments.flatMap((judgment) => {
    const { key, change, reviewHash, contentHash } = judgment
    const known = { review: reviewHash, content: contentHash }
    return TEXT_FIELDS.flatMap((field) => {
      const text = textOf(judgment, field)
      const hash = textHash(text)
      if (known[field] === hash || (known[field] === null && text === '')) return []
      return [{ key, change, field, textHash: hash, text }]
    })
  })
}

async function measure(embedder: Embedder, apiKey: string | undefined): Promise<SimilarityBaseline> {
  const probe = (as: 'query' | 'passage') => embedder.embed(PROBES, { purpose: 'background', apiKey, as })
  return similarityBaseline(await probe('passage'), await probe('query'))
}

async function embedTexts(
  embedder: Embedder,
  apiKey: string | undefined,
  texts: Text[],
): Promise<(TextVector & { text: string })[]> {
  const distinct = [...new Set(texts.map(({ text }) => text))].filter((text) => text !== '')
  const vectors = await embedDistinct(embedder, apiKey, distinct)
  const byText = new Map(distinct.map((text, i) => [text, vectors[i] ?? null]))
  return texts.map((entry) => ({ ...entry, embedding: tellingVector(byText.get(entry.text)) }))
}

/** Returns null for a text that the model refuses both whole and shortened. */
async function embedDistinct(
  embedder: Embedder,
  apiKey: string | undefined,
  texts: string[],
): Promise<(Float32Array | null)[]> {
  const options = { purpose: 'background', apiKey } as const
  const whole = await unlessRefused(embedder.embed(texts, options))
  if (whole) return whole
  // If the service refuses even this, the fault is not in the texts: fail, and retry later.
  await embedder.embed(PROBES.slice(0, 1), options)
  const vectors: (Float32Array | null)[] = []
  const embedded = (text: string) => unlessRefused(embedder.embed([text], options))
  for (const text of texts) {
    const found = (await embedded(text)) ?? (await embedded(text.slice(0, SHORTENED_CHARACTERS).toWellFormed()))
    vectors.push(found?.[0] ?? null)
  }
  return vectors
}

async function unlessRefused(embedding: Promise<Float32Array[]>): Promise<Float32Array[] | undefined> {
  try {
    return await embedding
  } catch (error) {
    if (error instanceof EmbedderError && error.failure === 'refused-input') return undefined
    throw error
  }
}
