import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { denseQuery, WARNINGS } from './dense-query.ts'
import type { Means } from './find-judgments.ts'
import { fusedNeighbours } from './fusion.ts'
import { indexCache } from './index-cache.ts'
import type { MemoryScope } from './indexed-judgment.ts'
import { readByKey } from './read-by-key.ts'
import { admits } from './scope.ts'
import { type Evidence, leads, type Unread } from './suggest.ts'

/** The evidence of one scope, at the time `now` of the database. */
export interface Gathered extends Omit<Evidence, 'warnings'> {
  now: number
  warnings: string[]
}

interface Wanted {
  /** The item to decide on. */
  query: string
  /** Tried in turn: never none. */
  scopes: readonly { name: Evidence['scope']; place: MemoryScope }[]
}

/**
 * The judgments nearest to what is to be decided in the first scope where they lead to a suggestion, else in the last. The
 * database is read where the index finds that they do.
 */
export async function gatherEvidence(
  db: Db,
  tenant: ApiKeyTenant,
  services: Means,
  { query, scopes }: Wanted,
): Promise<Gathered> {
  type Scope = Wanted['scopes'][number]

  /** Undefined where the next scope is to be tried. */
  async function read({ votes, ...counts }: Unread, scope: Scope, warnings: string[]) {
    const isLast = scope === scopes.at(-1)
    if (!isLast && !leads({ votes, ...counts })) return undefined
    const keys = votes.map(({ recordId }) => recordId)
    const { byKey, change, now } = await readByKey<{ recordId: string; reasoning: string }>(db, tenant, {
      keys,
      condition: admits(scope.place),
      columns: sql`j.record_id as "recordId", j.reasoning`,
    })
    const known = votes.flatMap((vote) => {
      const judgment = byKey.get(vote.recordId)
      return judgment ? [{ ...vote, recordId: judgment.recordId, reasoning: judgment.reasoning }] : []
    })
    const answer: Gathered = { ...counts, votes: known, scope: scope.name, now, warnings }
    return isLast || leads(answer) ? { answer, change } : undefined
  }

  async function firstOf<Found>(find: (scope: Scope) => Promise<Found | undefined>): Promise<Found> {
    for (const scope of scopes) {
      const found = await find(scope)
      if (found) return found
    }
    throw new Error('No scope was to be tried.')
  }

  if (!services.embedder) {
    return indexCache(services).answer(db, tenant, admits({}), (index) =>
      firstOf((scope) => read(index.neighbours(query, scope.place), scope, [])),
    )
  }
  const [index, { dense, warnings }] = await Promise.all([
    indexCache(services).find(db, tenant, admits({})),
    denseQuery(db, tenant, services, query),
  ])

  async function nearest(scope: Scope) {
    const byWords = index.neighbours(query, scope.place)
    if (!dense) return read(byWords, scope, warnings)
    const also = byWords.votes.map(({ recordId }) => recordId)
    const asked = { field: 'content', scope: scope.place, voters: true, also } as const
    const found = await dense.nearest(db, index, asked, (cosines) => {
      const neighbours = fusedNeighbours(byWords, cosines, index.table, dense.offTopic)
      return { answer: read(neighbours, scope, warnings), restsOn: neighbours.votes }
    })
    return typeof found === 'string' ? read(byWords, scope, [WARNINGS[found]]) : found
  }

  return (await firstOf(nearest)).answer
}
