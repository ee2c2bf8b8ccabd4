import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { headVersion } from '../head/stored-heads.ts'
import { hasKnowledge } from '../knowledge/search-knowledge.ts'
import { toVectorState, type VectorState, type VectorStateRow, vectorState } from '../vectors/vector-progress.ts'

/** What a suggestion needs to know of an API key before it looks for judgments. */
export interface KnownOfKey {
  /** The state of the vectors of the configured model; undefined without a model. */
  vectors: VectorState | undefined
  /** The version of the head; undefined if there is none that can be read. */
  headVersion: string | undefined
  hasKnowledge: boolean
}

/** Reads it in one statement: most of the time of a small statement is that of its way there and back. */
export async function readKnownOfKey(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { secrets, denseSearch: { model } }: Pick<Services, 'secrets' | 'denseSearch'>,
): Promise<KnownOfKey> {
  type Row = VectorStateRow & { headVersion: string | null; hasKnowledge: boolean }
  const [row] = await db.query<Row>(sql`
    select ${headVersion(apiKey, secrets)} as "headVersion", ${hasKnowledge(apiKey)} as "hasKnowledge", v.*
    from (select) one
    left join (${vectorState(apiKey, model ?? '')}) v on true`)
  return {
    vectors: model === undefined ? undefined : toVectorState(row, model),
    headVersion: row?.headVersion ?? undefined,
    hasKnowledge: row?.hasKnowledge ?? false,
  }
}
