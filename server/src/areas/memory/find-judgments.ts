import type { ApiKeyTenant, Services } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { denseQuery, WARNINGS } from './dense-query.ts'
import { fused, fusedNeighbours } from './fusion.ts'
import { indexCache } from './index-cache.ts'
import type { LexicalQuery, LexicalResult, MemoryScope, Neighbours } from './indexed-judgment.ts'
import { admits } from './scope.ts'

type Means = Pick<Services, 'config' | 'metrics' | 'embedder' | 'secrets' | 'clock' | 'log'>

/** What words and, where a model is configured, vectors find of all that scope and filters admit, the best first. */
export async function findJudgments(
  db: Db,
  tenant: ApiKeyTenant,
  services: Means,
  query: LexicalQuery,
): Promise<LexicalResult & { warnings: string[] }> {
  const { field, scope, filters = {}, limit } = query
  const [index, { dense, warnings }] = await Promise.all([
    indexCache(services).find(db, tenant, admits(scope, filters)),
    denseQuery(db, tenant, services, query.query),
  ])
  if (!dense) return { ...index.search(query), warnings }
  const ranking = index.ranking(query)
  const also = ranking.map(({ recordId }) => recordId)
  const hits = await dense.nearest(db, index, { field, scope, filters, also }, (cosines) => {
    const answer = fused(ranking, cosines, dense.offTopic).slice(0, limit)
    return { answer, restsOn: answer }
  })
  if (typeof hits === 'string') return { ...index.search(query), warnings: [WARNINGS[hits]] }
  return { hits, totalInScope: index.table.admit(scope, filters).count, warnings }
}

/** The evidence of one scope; `tau` where vectors take part: from which similarity it counts. */
export type EvidenceIn = (scope: MemoryScope) => Promise<Neighbours & { tau?: number; warnings: string[] }>

/** Prepares to gather the judgments nearest to what is to be decided, scope by scope. */
export async function gatherEvidence(
  db: Db,
  tenant: ApiKeyTenant,
  services: Means,
  query: string,
): Promise<EvidenceIn> {
  const [index, { dense, warnings }] = await Promise.all([
    indexCache(services).find(db, tenant, admits({})),
    denseQuery(db, tenant, services, query),
  ])
  return async (scope) => {
    const byWords = index.neighbours(query, scope)
    if (!dense) return { ...byWords, warnings }
    const also = byWords.votes.map(({ recordId }) => recordId)
    const found = await dense.nearest(db, index, { field: 'content', scope, voters: true, also }, (cosines) => {
      const answer = fusedNeighbours(byWords, cosines, index.table, dense.offTopic)
      return { answer, restsOn: answer.votes }
    })
    if (typeof found === 'string') return { ...byWords, warnings: [WARNINGS[found]] }
    return { ...found, warnings }
  }
}
