import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Embedder } from '../../../platform/embedder/embedder.ts'
import { readModelKey } from '../../workspaces/setting/model-key.ts'
import type { TextField } from '../judgment/indexed-judgment.ts'
import { embeddable } from '../judgment/judgment-text.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import {
  type NearestQuery,
  nearest,
  type Ranked,
  type TableHolder,
  type VectorNumbers,
  type VectorsUnavailable,
} from './nearest.ts'
import { createQueryVectors } from './query-vectors.ts'
import type { SimilarityBaseline } from './similarity-baseline.ts'
import { tellingVector } from './telling-vector.ts'
import { createVectorCache } from './vector-cache.ts'
import type { VectorState } from './vector-progress.ts'

/** Searches by the vectors of the configured model. It holds the vectors that the process has read. */
export interface DenseSearch {
  /** Memory that the vectors take now. */
  readonly bytes: number
  /** The configured model; undefined if there is none. */
  readonly model: string | undefined
  /** Vectors only fill up what words leave of a search: the built-in embedding ranks worse than words. */
  readonly onlyFills: boolean
  /** Whether it compares texts of the index. */
  compares(index: Pick<LexicalIndex, 'isEnglish'>, field: TextField): boolean
  /**
   * Embeds a query. Without a vector a warning says why, unless no model is configured or there is nothing to find.
   * `state` is that of the model's vectors; undefined without a model.
   */
  embed(
    db: Db,
    tenant: ApiKeyTenant,
    text: string,
    state: VectorState | undefined,
  ): Promise<{ dense?: DenseQuery; warnings: string[] }>
}

/** An embedded query. */
export interface DenseQuery {
  model: string
  vector: Float32Array
  baseline: SimilarityBaseline
  /** What the caller is told where vectors could not be compared. */
  warningsOf(why: VectorsUnavailable): string[]
  /** Returns what `rank` makes of the cosines of the nearest judgments of the index. */
  nearest<Answer extends { numbers: VectorNumbers }>(
    db: Db,
    index: TableHolder,
    query: Omit<NearestQuery, 'vector'>,
    rank: (cosines: Map<string, number>) => Ranked<Answer>,
  ): Promise<Answer | VectorsUnavailable>
}

declare module '../../../platform/context.ts' {
  interface Services {
    denseSearch: DenseSearch
  }
}

/** Why words alone were compared, for the caller. */
const WARNINGS = {
  unavailable: 'The embedding model is not available: this was found by words alone.',
  refused: 'The embedding model refused the query or the key: this was found by words alone.',
  embedding: 'The judgments are still being embedded: this was found by words alone.',
  changed: 'The embedding model answers vectors of another length than before: this was found by words alone.',
  loading: 'The vectors of the judgments are still being read: this was found by words alone.',
  'too-large': 'The vectors of the judgments need more memory than they may take: this was found by words alone.',
}

const PATIENCE_MS = 1_000

/**
 * Whether vectors compare texts of an index: those that only fill up searches are of the built-in embedding of English.
 */
export const comparesTexts = (onlyFills: boolean, index: Pick<LexicalIndex, 'isEnglish'>, field: TextField): boolean =>
  !onlyFills || index.isEnglish(field)

/** Creates the search of a process; without a model it embeds nothing. Its vectors take at most `MEMORY_VECTORS_MB`. */
export function createDenseSearch({ embedder, ...services }: DenseServices): DenseSearch {
  if (embedder) return searchBy(embedder, services)
  return {
    bytes: 0,
    model: undefined,
    onlyFills: false,
    compares: () => false,
    embed: async () => ({ warnings: [] }),
  }
}

type DenseServices = Pick<Services, 'embedder' | 'config' | 'secrets' | 'clock' | 'log'>

function searchBy(embedder: Embedder, { config, secrets, clock, log }: Omit<DenseServices, 'embedder'>): DenseSearch {
  const cache = createVectorCache({ budgetBytes: config.memoryVectorsMb * 1024 * 1024, patienceMs: PATIENCE_MS })
  const queryVectors = createQueryVectors(embedder, { clock, log })

  /** What passes by itself is told only if the operator has chosen the model. */
  const soon = (why: 'embedding' | 'loading') => (embedder.isBuiltin ? [] : [WARNINGS[why]])

  return {
    get bytes() {
      return cache.bytes
    },
    model: embedder.model,
    onlyFills: embedder.isBuiltin ?? false,
    compares: (index, field) => comparesTexts(embedder.isBuiltin ?? false, index, field),
    async embed(db, tenant, text, state) {
      const query = embeddable(text)
      if (query === '' || !state) return { warnings: [] }
      if (!state.isComplete) return { warnings: state.hasChanges ? soon('embedding') : [] }
      if (state.dimensions === 0) return { warnings: [] }
      const modelKey = state.hasModelKeys ? await readModelKey(db, tenant, secrets) : undefined
      const vector = await queryVectors.find(tenant, query, modelKey)
      if (typeof vector === 'string') return { warnings: [WARNINGS[vector]] }
      if (!tellingVector(vector)) return { warnings: [] }
      if (vector.length !== state.dimensions) return { warnings: [WARNINGS.changed] }
      const { model, baseline } = state
      return {
        dense: {
          model,
          vector,
          baseline,
          warningsOf: (why) => (why === 'loading' ? soon(why) : [WARNINGS[why]]),
          nearest: (on, index, wanted, rank) =>
            nearest({ db: on, tenant, state, cache, index }, { ...wanted, vector }, rank),
        },
        warnings: [],
      }
    },
  }
}
