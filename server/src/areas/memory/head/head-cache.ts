import { LRUCache } from 'lru-cache'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'
import type { Head } from './head.ts'
import { readHead } from './stored-heads.ts'

/** The heads in the memory of a process: the 64 that were used last, 0.5 MB each. */
export interface HeadCache {
  /** The head of a version that was just read, without reading it again; undefined if it is gone. */
  find(db: Db, tenant: ApiKeyTenant, version: string | undefined): Promise<Head | undefined>
}

declare module '../../../platform/context.ts' {
  interface Services {
    headCache: HeadCache
  }
}

const KEPT = 64

/** Creates a cache of the last 64 heads that were used, of which each API key has one. */
export function createHeadCache(secrets: Secrets): HeadCache {
  const heads = new LRUCache<string, { version: string; head: Promise<Head | undefined> }>({ max: KEPT })
  return {
    async find(db, { apiKey }, version) {
      if (version === undefined) {
        heads.delete(apiKey)
        return undefined
      }
      const known = heads.get(apiKey)
      if (known?.version === version) return known.head
      const head = readHead(db, apiKey, version, secrets)
      heads.set(apiKey, { version, head })
      head.catch(() => heads.delete(apiKey))
      return head
    },
  }
}
