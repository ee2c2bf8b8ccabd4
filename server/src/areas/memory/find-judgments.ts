import type { ApiKeyTenant, Services } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { denseQuery, WARNINGS } from './dense-query.ts'
import { fused } from './fusion.ts'
import { indexCache } from './index-cache.ts'
import type { LexicalHit, LexicalQuery, LexicalResult } from './indexed-judgment.ts'
import { type FoundJudgment, foundColumns } from './judgment.ts'
import { readByKey } from './read-by-key.ts'
import { admits } from './scope.ts'

export type Means = Pick<Services, 'config' | 'metrics' | 'embedder' | 'secrets' | 'clock' | 'log'>

/** What is stored of a judgment that was found. */
type Stored = Omit<FoundJudgment, 'similarity' | 'scope'>

export interface Findings {
  found: { judgment: Stored; similarity: number }[]
  /** How many judgments scope and filters admit. */
  totalInScope: number
  warnings: string[]
}

/** What words and, where a model is configured, vectors find of all that scope and filters admit, the best first. */
export async function findJudgments(
  db: Db,
  tenant: ApiKeyTenant,
  services: Means,
  query: LexicalQuery,
): Promise<Findings> {
  const { field, scope, filters = {}, limit } = query
  const condition = admits(scope, filters)

  async function read({ hits, totalInScope }: LexicalResult, warnings: string[]) {
    const keys = hits.map(({ recordId }) => recordId)
    const { byKey, change } = await readByKey<Stored>(db, tenant, { keys, condition, columns: foundColumns })
    const found = hits.flatMap(({ recordId, similarity }: LexicalHit) => {
      const judgment = byKey.get(recordId)
      return judgment ? [{ judgment, similarity }] : []
    })
    return { answer: { found, totalInScope, warnings }, change }
  }

  if (!services.embedder) {
    return indexCache(services).answer(db, tenant, condition, (index) => read(index.search(query), []))
  }
  const [index, { dense, warnings }] = await Promise.all([
    indexCache(services).find(db, tenant, condition),
    denseQuery(db, tenant, services, query.query),
  ])
  const byWords = async (why: string[]) => (await read(index.search(query), why)).answer
  if (!dense) return byWords(warnings)
  const ranking = index.ranking(query)
  const also = ranking.map(({ recordId }) => recordId)
  const answer = await dense.nearest(db, index, { field, scope, filters, also }, (cosines) => {
    const hits = fused(ranking, cosines, dense.offTopic).slice(0, limit)
    return { answer: read({ hits, totalInScope: index.table.admit(scope, filters).count }, warnings), restsOn: hits }
  })
  return typeof answer === 'string' ? byWords([WARNINGS[answer]]) : answer.answer
}
