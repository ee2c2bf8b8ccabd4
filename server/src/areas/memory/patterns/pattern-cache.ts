import { LRUCache } from 'lru-cache'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { findPatterns, type Pattern } from './pattern.ts'

/** The patterns of API keys, kept in the process until a judgment of the key changes, and an hour at most. */
export interface PatternCache {
  /** The patterns of all judgments that were committed before the call. */
  find(db: Db, tenant: ApiKeyTenant): Promise<Pattern[]>
  /** How many there are, or were up to ten minutes ago. */
  count(db: Db, tenant: ApiKeyTenant): Promise<number>
}

declare module '../../../platform/context.ts' {
  interface Services {
    patternCache: PatternCache
  }
}

const MOST_KEYS = 100
const KEPT_MS = 3_600_000

const COUNTED_MS = 600_000

interface Known {
  change: number
  patterns: Promise<Pattern[]>
  foundAt: number
}

/** Calls that ask for the same share one computation. */
export function createPatternCache(): PatternCache {
  const known = new LRUCache<string, Known>({ max: MOST_KEYS, ttl: KEPT_MS })

  async function find(db: Db, tenant: ApiKeyTenant): Promise<Pattern[]> {
    const change = await lastChange(db, tenant)
    const cached = known.get(tenant.apiKey)
    if (cached?.change === change) return cached.patterns
    const patterns = findPatterns(db, tenant)
    known.set(tenant.apiKey, { change, patterns, foundAt: performance.now() })
    patterns.catch(() => known.delete(tenant.apiKey))
    return patterns
  }

  return {
    find,
    async count(db, tenant) {
      const cached = known.get(tenant.apiKey)
      const isRecent = cached !== undefined && performance.now() - cached.foundAt < COUNTED_MS
      return (await (isRecent ? cached.patterns : find(db, tenant))).length
    },
  }
}

async function lastChange(db: Db, { apiKey }: ApiKeyTenant): Promise<number> {
  const [row] = await db.query<{ change: number }>(sql`select change from judgment_log where api_key = ${apiKey}`)
  return row?.change ?? 0
}
