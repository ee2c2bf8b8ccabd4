import { LRUCache } from 'lru-cache'
import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import { type Embedder, EmbedderError } from '../../../platform/embedder/embedder.ts'

/** Why a query has no vector. */
export type NoVector = 'unavailable' | 'refused'

/** The vectors of queries. It keeps the last 500, so that the same text of an API key is not embedded again. */
export interface QueryVectors {
  /** `modelKey`: the customer's key for the model. */
  find(tenant: ApiKeyTenant, text: string, modelKey: string | undefined): Promise<Float32Array | NoVector>
}

const KEPT = 500
/** A model that failed is not called for this long, so that not every search waits for it. */
const REST_MS = 5_000

/** Creates the vectors of a process. A model that failed is asked again after 5 s at the earliest. */
export function createQueryVectors(embedder: Embedder, { clock, log }: Pick<Services, 'clock' | 'log'>): QueryVectors {
  // Not shared between API keys: response times would reveal the queries of others.
  const kept = new LRUCache<string, Float32Array>({ max: KEPT })
  /** By model key: the rate limit of one customer does not affect the others. */
  const restsUntil = new Map<string | undefined, number>()

  async function embed(text: string, modelKey: string | undefined): Promise<Float32Array | NoVector> {
    if (clock.now() < (restsUntil.get(modelKey) ?? 0)) return 'unavailable'
    try {
      const [vector] = await embedder.embed([text], { purpose: 'search', apiKey: modelKey })
      restsUntil.delete(modelKey)
      return vector ?? 'unavailable'
    } catch (error) {
      if (!(error instanceof EmbedderError)) throw error
      log.warn({ reason: error.message }, 'a query was not embedded')
      if (error.failure !== 'unavailable') return 'refused'
      restsUntil.set(modelKey, clock.now() + REST_MS)
      return 'unavailable'
    }
  }

  return {
    async find({ apiKey }, text, modelKey) {
      const id = `${apiKey}/${text}`
      const vector = kept.get(id) ?? (await embed(text, modelKey))
      if (typeof vector === 'string') return vector
      kept.set(id, vector)
      return vector
    },
  }
}
