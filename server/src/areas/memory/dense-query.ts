import type { ApiKeyTenant, Services } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Embedder, EmbedderError } from '../../platform/embedder.ts'
import { readModelKey } from '../workspaces/model-key.ts'
import type { JudgmentTable } from './judgment-table.ts'
import { embeddable } from './judgment-text.ts'
import { type Hindrance, type NearestQuery, nearest } from './nearest.ts'
import type { OffTopic } from './off-topic.ts'
import { createVectorCache, type VectorCache } from './vector-cache.ts'
import { readVectorState } from './vector-progress.ts'

/** A query that the configured model has turned into a vector. */
export interface DenseQuery {
  offTopic: OffTopic
  /** The cosines of the nearest judgments; `table` says which there are. */
  nearest(db: Db, table: JudgmentTable, query: Omit<NearestQuery, 'vector'>): Promise<Map<string, number> | Hindrance>
}

/** Why words alone were compared, for the caller. */
export const WARNINGS = {
  unavailable: 'The embedding model is not available: this was found by words alone.',
  refused: 'The embedding model refused the query or the key: this was found by words alone.',
  embedding: 'The judgments are still being embedded: this was found by words alone.',
  changed: 'The embedding model answers vectors of another length than before: this was found by words alone.',
  loading: 'The vectors of the judgments are still being read: this was found by words alone.',
  'too-large': 'The vectors of the judgments need more memory than they may take: this was found by words alone.',
}

/** The query as the model sees it; without one a warning says why, except where no model is configured or nothing to find. */
export async function denseQuery(
  db: Db,
  tenant: ApiKeyTenant,
  services: Pick<Services, 'embedder' | 'secrets' | 'config' | 'clock' | 'log'>,
  text: string,
): Promise<{ dense?: DenseQuery; warnings: string[] }> {
  const { embedder, secrets } = services
  const query = embeddable(text)
  if (!embedder || query === '') return { warnings: [] }
  const state = await readVectorState(db, tenant, embedder.model)
  if (!state.isComplete) return { warnings: state.hasChanges ? [WARNINGS.embedding] : [] }
  if (state.dimensions === 0) return { warnings: [] }
  const apiKey = await readModelKey(db, tenant, secrets)
  const vector = await vectorOf(embedder, services, query, apiKey)
  if (typeof vector === 'string') return { warnings: [vector] }
  if (vector.length !== state.dimensions) return { warnings: [WARNINGS.changed] }
  const cache = stateOf(embedder, services).cache
  return {
    dense: {
      offTopic: state.offTopic,
      nearest: (on, table, query) => nearest(on, tenant, state, { cache, table }, { ...query, vector }),
    },
    warnings: [],
  }
}

/** A model that did not answer is left alone for so long, so that not every search waits for it. */
const REST_MS = 5_000
const PATIENCE_MS = 1_000

async function vectorOf(
  embedder: Embedder,
  services: Pick<Services, 'config' | 'clock' | 'log'>,
  text: string,
  apiKey: string | undefined,
): Promise<Float32Array | string> {
  const { clock, log } = services
  const held = stateOf(embedder, services)
  if (clock.now() < (held.restsUntil.get(apiKey) ?? 0)) return WARNINGS.unavailable
  try {
    const [vector] = await embedder.embed([text], { purpose: 'search', apiKey })
    held.restsUntil.delete(apiKey)
    return vector ?? WARNINGS.unavailable
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error
    log.warn({ reason: error.message }, 'a query was not embedded')
    if (error.failure !== 'unavailable') return WARNINGS.refused
    held.restsUntil.set(apiKey, clock.now() + REST_MS)
    return WARNINGS.unavailable
  }
}

interface ProcessState {
  cache: VectorCache
  /** By the key that it was called with: the limit of one customer's is no reason to leave out the others. */
  restsUntil: Map<string | undefined, number>
}

const states = new WeakMap<Embedder, ProcessState>()

/** What this process holds beside its embedder. */
function stateOf(embedder: Embedder, { config }: Pick<Services, 'config'>): ProcessState {
  const known = states.get(embedder)
  if (known) return known
  const cache = createVectorCache({ budgetBytes: config.memoryVectorsMb * 1024 * 1024, patienceMs: PATIENCE_MS })
  const state = { cache, restsUntil: new Map<string | undefined, number>() }
  states.set(embedder, state)
  return state
}
