import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { denseQuery, WARNINGS } from './dense-query.ts'
import type { Means } from './find-judgments.ts'
import { fusedNeighbours } from './fusion.ts'
import { indexCache } from './index-cache.ts'
import type { MemoryScope, Neighbours } from './indexed-judgment.ts'
import { readByKey } from './read-by-key.ts'
import { admits } from './scope.ts'
import type { Evidence } from './suggest.ts'

/** The evidence of one scope, at the time `now` of the database. */
export interface Gathered extends Omit<Evidence, 'scope' | 'warnings'> {
  now: number
  warnings: string[]
}

/** Prepares to gather the judgments nearest to what is to be decided, scope by scope. */
export async function gatherEvidence(
  db: Db,
  tenant: ApiKeyTenant,
  services: Means,
  query: string,
): Promise<(scope: MemoryScope) => Promise<Gathered>> {
  async function read(
    { votes, ...evidence }: Neighbours & Pick<Evidence, 'tau'>,
    scope: MemoryScope,
    warnings: string[],
  ) {
    const keys = votes.map(({ recordId }) => recordId)
    const { byKey, change, now } = await readByKey<{ recordId: string; reasoning: string }>(db, tenant, {
      keys,
      condition: admits(scope),
      columns: sql`j.record_id as "recordId", j.reasoning`,
    })
    const known = votes.flatMap((vote) => {
      const judgment = byKey.get(vote.recordId)
      return judgment ? [{ ...vote, recordId: judgment.recordId, reasoning: judgment.reasoning }] : []
    })
    return { answer: { ...evidence, votes: known, now, warnings }, change }
  }

  if (!services.embedder) {
    return (scope) =>
      indexCache(services).answer(db, tenant, admits({}), (index) => read(index.neighbours(query, scope), scope, []))
  }
  const [index, { dense, warnings }] = await Promise.all([
    indexCache(services).find(db, tenant, admits({})),
    denseQuery(db, tenant, services, query),
  ])

  async function nearest(scope: MemoryScope) {
    const byWords = index.neighbours(query, scope)
    if (!dense) return read(byWords, scope, warnings)
    const also = byWords.votes.map(({ recordId }) => recordId)
    const found = await dense.nearest(db, index, { field: 'content', scope, voters: true, also }, (cosines) => {
      const neighbours = fusedNeighbours(byWords, cosines, index.table, dense.offTopic)
      return { answer: read(neighbours, scope, warnings), restsOn: neighbours.votes }
    })
    return typeof found === 'string' ? read(byWords, scope, [WARNINGS[found]]) : found
  }

  return async (scope) => (await nearest(scope)).answer
}
