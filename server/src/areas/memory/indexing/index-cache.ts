import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Secrets } from '../../../platform/secret.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import { preparePriors } from '../words/prior-frequencies.ts'
import { indexOfFew, KeyIndex } from './key-index.ts'

/**
 * The indexes in the memory of a process, one per API key. Beyond the budget the least recently used are dropped. The
 * one in use stays even if it is too large; this is logged once.
 */
export interface IndexCache {
  /** Memory that the indexes take now. */
  readonly bytes: number
  /**
   * Returns an index with every change committed before the call. While a large index is being read, returns one of
   * only the judgments that meet the condition over `judgment j` if they are few; else throws UNAVAILABLE.
   */
  find(db: Db, tenant: ApiKeyTenant, condition: Sql): Promise<LexicalIndex>
  /**
   * Returns what `work` makes of such an index. `work` first uses the index, then reads the database; what it returns
   * has the last change number of that read. If the index has read that change, `work` runs once and no other query is
   * needed. Otherwise the index catches up and `work` runs again.
   */
  answer<Answer extends { change: number }>(
    db: Db,
    tenant: ApiKeyTenant,
    condition: Sql,
    work: (index: LexicalIndex) => Promise<Answer>,
  ): Promise<Answer>
}

declare module '../../../platform/context.ts' {
  interface Services {
    indexCache: IndexCache
  }
}

interface Limits {
  budgetBytes: number
  /** How long a call waits for its index to be read. Default: 10 s. */
  patienceMs?: number
  /** How many judgments are indexed for one call while the index is being read. Default: 500. */
  few?: number
  log: Pick<Log, 'warn'>
  secrets: Secrets
}

/** Creates the indexes of a process. The budget holds for all of them together, in bytes. */
export function createIndexCache({ budgetBytes, patienceMs = 10_000, few = 500, log, secrets }: Limits): IndexCache {
  // By use, the least recent first.
  const indexes = new Map<string, KeyIndex>()
  const tooLarge = new Set<string>()

  function use(tenant: ApiKeyTenant): KeyIndex {
    const used = indexes.get(tenant.apiKey) ?? new KeyIndex(tenant, { secrets, log })
    indexes.delete(tenant.apiKey)
    indexes.set(tenant.apiKey, used)
    return used
  }

  function shrink(): void {
    let bytes = 0
    for (const each of indexes.values()) bytes += each.bytes
    for (const [apiKey, each] of indexes) {
      if (bytes <= budgetBytes || indexes.size === 1) return
      if (each.isReading) continue
      indexes.delete(apiKey)
      bytes -= each.bytes
    }
  }

  function warnOnce(apiKey: string, { bytes }: LexicalIndex): void {
    if (bytes <= budgetBytes || tooLarge.has(apiKey)) return
    tooLarge.add(apiKey)
    log.warn({ apiKey, indexMb: toMb(bytes), budgetMb: toMb(budgetBytes) }, OUTGROWN)
  }

  async function find(db: Db, tenant: ApiKeyTenant, condition: Sql): Promise<LexicalIndex> {
    const used = use(tenant)
    await preparePriors()
    const index = await used.caughtUp(db, patienceMs)
    shrink()
    warnOnce(tenant.apiKey, used.index)
    if (index) return index
    const ofFew = await indexOfFew(db, tenant, condition, few)
    if (ofFew) return ofFew
    throw new ApiError('UNAVAILABLE', 'The judgments are still being read into the index. Try again.')
  }

  return {
    get bytes() {
      return [...indexes.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    },
    find,
    async answer(db, tenant, condition, work) {
      const { index, caughtUpTo } = use(tenant)
      if (caughtUpTo !== undefined) {
        const answer = await work(index)
        if (answer.change === caughtUpTo) return answer
      }
      return work(await find(db, tenant, condition))
    },
  }
}

const OUTGROWN =
  'the index of one API key needs more memory than MEMORY_INDEX_MB: it is dropped, and read from the database again, whenever another API key is searched between its searches'

const toMb = (bytes: number) => Math.ceil(bytes / 2 ** 20)
