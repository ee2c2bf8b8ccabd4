import type { ApiKeyTenant, Services } from '../../platform/context.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { createKeyIndex, indexOfFew, type KeyIndex } from './key-index.ts'
import type { LexicalIndex } from './lexical-index.ts'

/**
 * The indexes that a process holds, one per API key. When they outgrow the budget, those longest unused are dropped; the one
 * in use stays however large it is, and a warning is logged once.
 */
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
  log: Pick<Log, 'warn'>
}

export function createIndexCache({ budgetBytes, patienceMs, few, log }: Limits): IndexCache {
  // In the order of use, the least recent first.
  const indexes = new Map<string, KeyIndex>()
  const tooLarge = new Set<string>()

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

  function warnOnce(apiKey: string, { bytes }: LexicalIndex): void {
    if (bytes <= budgetBytes || tooLarge.has(apiKey)) return
    tooLarge.add(apiKey)
    log.warn({ apiKey, indexMb: toMb(bytes), budgetMb: toMb(budgetBytes) }, OUTGROWN)
  }

  return {
    async find(db, tenant, condition) {
      const used = use(tenant)
      const index = await used.caughtUp(db, patienceMs)
      shrink()
      warnOnce(tenant.apiKey, used.index)
      if (index) return index
      const ofFew = await indexOfFew(db, tenant, condition, few)
      if (ofFew) return ofFew
      throw new ApiError('UNAVAILABLE', 'The judgments are still being read into the index. Try again.')
    },
  }
}

const OUTGROWN =
  'the index of one API key needs more memory than MEMORY_INDEX_MB: it is dropped, and read from the database again, whenever another API key is searched between its searches'

const toMb = (bytes: number) => Math.ceil(bytes / 2 ** 20)

const PATIENCE_MS = 2_000
const FEW = 500
const caches = new WeakMap<object, IndexCache>()

/** The cache of this process. */
export function indexCache({ config, metrics, log }: Pick<Services, 'config' | 'metrics' | 'log'>): IndexCache {
  // Each process has its own metrics, which live as long as it does.
  const known = caches.get(metrics)
  if (known) return known
  const budgetBytes = config.memoryIndexMb * 1024 * 1024
  const cache = createIndexCache({ budgetBytes, patienceMs: PATIENCE_MS, few: FEW, log })
  caches.set(metrics, cache)
  return cache
}
