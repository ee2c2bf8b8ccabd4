import type { ApiKeyTenant, Services } from '../../platform/context.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { createKeyIndex, indexOfFew, type KeyIndex } from './key-index.ts'
import type { LexicalIndex } from './lexical-index.ts'

/** The indexes that a process holds: one per API key, those longest unused dropped when they outgrow the budget. */
export interface IndexCache {
  /**
   * An index that knows every change committed before the call and at least the judgments that meet the condition over
   * `judgment j`. While a large one is being read it answers one of those alone if they are few, else UNAVAILABLE.
   */
  find(db: Db, tenant: ApiKeyTenant, condition: Sql): Promise<LexicalIndex>
}

interface Limits {
  budgetBytes: number
  /** How long a call waits for its index to be read. */
  patienceMs: number
  /** How many judgments are indexed for one call while the index is being read. */
  few: number
}

export function createIndexCache({ budgetBytes, patienceMs, few }: Limits): IndexCache {
  // In the order of use, the least recent first.
  const indexes = new Map<string, KeyIndex>()

  function use(tenant: ApiKeyTenant): KeyIndex {
    const used = indexes.get(tenant.apiKey) ?? createKeyIndex(tenant)
    indexes.delete(tenant.apiKey)
    indexes.set(tenant.apiKey, used)
    return used
  }

  function shrink(): void {
    let bytes = 0
    for (const { index } of indexes.values()) bytes += index.bytes
    for (const [apiKey, { index, isReading }] of indexes) {
      if (bytes <= budgetBytes || indexes.size === 1) return
      if (isReading) continue
      indexes.delete(apiKey)
      bytes -= index.bytes
    }
  }

  return {
    async find(db, tenant, condition) {
      const used = use(tenant)
      const index = await used.caughtUp(db, patienceMs)
      shrink()
      if (index) return index
      const ofFew = await indexOfFew(db, tenant, condition, few)
      if (ofFew) return ofFew
      throw new ApiError('UNAVAILABLE', 'The judgments are still being read into the index. Try again.')
    },
  }
}

const PATIENCE_MS = 2_000
const FEW = 500
const caches = new WeakMap<object, IndexCache>()

/** The cache of this process. */
export function indexCache({ config, metrics }: Pick<Services, 'config' | 'metrics'>): IndexCache {
  // Each process has its own metrics, which live as long as it does.
  const known = caches.get(metrics)
  if (known) return known
  const budgetBytes = config.memoryIndexMb * 1024 * 1024
  const cache = createIndexCache({ budgetBytes, patienceMs: PATIENCE_MS, few: FEW })
  caches.set(metrics, cache)
  return cache
}
