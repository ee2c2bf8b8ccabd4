import { LRUCache } from 'lru-cache'
import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { headVersion } from '../head/stored-heads.ts'
import { hasKnowledge } from '../knowledge/search-knowledge.ts'
import { toVectorState, type VectorState, type VectorStateRow, vectorState } from '../vectors/vector-progress.ts'

/** What a search or a suggestion needs to know of an API key before it looks for judgments. */
export interface KnownOfKey {
  /** The state of the vectors of the configured model; undefined without a model. */
  vectors: VectorState | undefined
  /** The version of the head; undefined if there is none that can be read. */
  headVersion: string | undefined
  hasKnowledge: boolean
}

/**
 * What the process knows of API keys. It spares the statement that reads it before each search: most of the time of a
 * small statement is that of its way there and back.
 */
export interface KnownKeys {
  /**
   * Returns what `work` makes of what is known of an API key. `work` ends with a read of the database; what it returns
   * has the present `stamp` of that read. If what was remembered is not current by that, it is read, and `work` runs
   * again.
   */
  confirmed<Answer extends { stamp: string }>(
    db: Db,
    tenant: ApiKeyTenant,
    work: (known: KnownOfKey) => Promise<Answer>,
  ): Promise<Answer>
  /** SQL: a text that changes with what is known of an API key. */
  stamp(tenant: ApiKeyTenant): Sql
}

declare module '../../../platform/context.ts' {
  interface Services {
    knownKeys: KnownKeys
  }
}

type Means = Pick<Services, 'secrets' | 'denseSearch'>

/** API keys that are remembered, some 300 bytes each. */
const KEPT = 1_000

/** Creates the memory of a process. It holds the 1,000 API keys that were used last. */
export function createKnownKeys(means: Means): KnownKeys {
  const kept = new LRUCache<string, Stamped>({ max: KEPT })
  return {
    async confirmed(db, tenant, work) {
      const { apiKey } = tenant
      const remembered = kept.get(apiKey)
      const known = remembered ?? (await readKnown(db, tenant, means))
      const answer = await work(known)
      if (answer.stamp === known.stamp) {
        kept.set(apiKey, known)
        return answer
      }
      kept.delete(apiKey)
      // What changes often is not remembered: the next call reads it first.
      return remembered ? work(await readKnown(db, tenant, means)) : answer
    },
    stamp: ({ apiKey }) => sql`(select k::text from (${knownOf(apiKey, means)}) k)`,
  }
}

interface Stamped extends KnownOfKey {
  stamp: string
}

async function readKnown(db: Db, { apiKey }: ApiKeyTenant, means: Means): Promise<Stamped> {
  type Row = VectorStateRow & { headVersion: string | null; hasKnowledge: boolean; stamp: string }
  const [row] = await db.query<Row>(sql`select k.*, k::text as stamp from (${knownOf(apiKey, means)}) k`)
  const { model } = means.denseSearch
  return {
    vectors: model === undefined ? undefined : toVectorState(row, model),
    headVersion: row?.headVersion ?? undefined,
    hasKnowledge: row?.hasKnowledge ?? false,
    stamp: row?.stamp ?? '',
  }
}

/** SQL: what is known, as one row. */
const knownOf = (apiKey: string, { secrets, denseSearch: { model } }: Means): Sql => sql`
    select ${headVersion(apiKey, secrets)} as "headVersion", ${hasKnowledge(apiKey)} as "hasKnowledge", v.*
    from (select) one
    left join (${vectorState(apiKey, model ?? '')}) v on true`
