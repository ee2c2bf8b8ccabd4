import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Embedder } from '../../../platform/embedder/embedder.ts'
import { readModelKey } from '../../workspaces/model-key.ts'
import { embeddable } from '../judgment/judgment-text.ts'
import { type Hindrance, type NearestQuery, nearest, type Tabled, type Weighed } from './nearest.ts'
import { createQueryVectors, type QueryVectors } from './query-vectors.ts'
import type { SimilarityBaseline } from './similarity-baseline.ts'
import { createVectorCache, type VectorCache } from './vector-cache.ts'
import { readVectorState } from './vector-progress.ts'

/** A query that the configured model has turned into a vector. */
export interface DenseQuery {
  model: string
  offTopic: SimilarityBaseline
  /** What is made of the cosines of the nearest judgments; the index says which judgments there are. */
  nearest<Answer>(
    db: Db,
    index: Tabled,
    query: Omit<NearestQuery, 'vector'>,
    weigh: (cosines: Map<string, number>) => Weighed<Answer>,
  ): Promise<Answer | Hindrance>
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
  const modelKey = state.hasModelKeys ? await readModelKey(db, tenant, secrets) : undefined
  const { cache, queries } = stateOf(embedder, services)
  const vector = await queries.find(tenant, query, modelKey)
  if (typeof vector === 'string') return { warnings: [WARNINGS[vector]] }
  if (vector.length !== state.dimensions) return { warnings: [WARNINGS.changed] }
  return {
    dense: {
      model: state.model,
      offTopic: state.offTopic,
      nearest: (on, index, asked, weigh) => nearest(on, tenant, state, { cache, index }, { ...asked, vector }, weigh),
    },
    warnings: [],
  }
}

const PATIENCE_MS = 1_000

interface ProcessState {
  cache: VectorCache
  queries: QueryVectors
}

const states = new WeakMap<Embedder, ProcessState>()

/** What this process holds beside its embedder. */
function stateOf(embedder: Embedder, services: Pick<Services, 'config' | 'clock' | 'log'>): ProcessState {
  const known = states.get(embedder)
  if (known) return known
  const budgetBytes = services.config.memoryVectorsMb * 1024 * 1024
  const cache = createVectorCache({ budgetBytes, patienceMs: PATIENCE_MS })
  const state = { cache, queries: createQueryVectors(embedder, services) }
  states.set(embedder, state)
  return state
}
