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

export function createHeadCache(secrets: Secrets): HeadCache {
  // By use, the least recent first.
  const heads = new Map<string, { version: string; head: Promise<Head | undefined> }>()
  return {
    async find(db, { apiKey }, version) {
      const known = heads.get(apiKey)
      heads.delete(apiKey)
      if (version === undefined) return undefined
      const used = known?.version === version ? known : { version, head: readHead(db, apiKey, version, secrets) }
      heads.set(apiKey, used)
      used.head.catch(() => heads.delete(apiKey))
      if (heads.size > KEPT) heads.delete(heads.keys().next().value ?? '')
      return used.head
    },
  }
}
