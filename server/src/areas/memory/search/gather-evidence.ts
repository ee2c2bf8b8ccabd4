import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { MemoryScope, Neighbour } from '../judgment/indexed-judgment.ts'
import { admits } from '../judgment/scope.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import type { DenseQuery } from '../vectors/dense-search.ts'
import type { SearchServices } from './find-judgments.ts'
import { Forecaster } from './forecaster.ts'
import { fusedNeighbours } from './fusion.ts'
import type { KnownOfKey } from './known-of-key.ts'
import { type ReadByKey, readByKey } from './read-by-key.ts'
import { type Evidence, nearVotes, supportsSuggestion, type UnreadEvidence } from './suggest.ts'
import type { Vote } from './weighed.ts'

/** The evidence of one scope, and the state of the database when it was read. */
export interface Gathered extends Omit<Evidence, 'warnings'>, Pick<ReadByKey<object>, 'now' | 'change' | 'stamp'> {
  warnings: string[]
}

interface Wanted {
  /** The item to decide on. */
  query: string
  /** Tried in order; at least one. */
  scopes: readonly { name: Evidence['scope']; place: MemoryScope }[]
  /** Id of the user who wrote the item. */
  author?: string | undefined
  /** What is known of the API key. */
  known: Pick<KnownOfKey, 'vectors' | 'headVersion'>
}

type Scope = Wanted['scopes'][number]

type ReadJudgment = { recordId: string; decision: string; reasoning: string }

/** The parts of a process that a suggestion uses. */
type SuggestServices = SearchServices & Pick<Services, 'headCache' | 'clock' | 'config'>

/**
 * Tries scopes from narrowest to widest and returns the evidence of the first that supports a suggestion, else of the
 * last. It reads only votes that are near enough to be weighed. By words, it reads only that scope from the database.
 * With vectors it reads each, to confirm that the vectors are current.
 */
export async function gatherEvidence(
  db: Db,
  tenant: ApiKeyTenant,
  { indexCache, denseSearch, knownKeys, ...services }: SuggestServices,
  { query, scopes, author, known }: Wanted,
): Promise<Gathered> {
  const embed = () => denseSearch.embed(db, tenant, query, known.vectors)
  const [asked, forecaster] = await Promise.all([
    denseSearch.onlyFills ? undefined : embed(),
    Forecaster.of(db, tenant, services, { query, author, headVersion: known.headVersion }),
  ])

  /** Without evidence the next scope must be tried. */
  async function read(
    index: LexicalIndex,
    { votes, ...counts }: UnreadEvidence,
    { scope, why, model }: { scope: Scope; why: string[]; model?: string },
  ) {
    const isLast = scope === scopes.at(-1)
    if (votes.length === 0 && !isLast) return { evidence: undefined, numbers: new Map<string, number | null>() }
    const { byKey, change, now, numbers, stamp } = await readByKey<ReadJudgment>(db, tenant, {
      keys: votes.map(({ key }) => key),
      condition: admits(scope.place),
      columns: sql`j.record_id as "recordId", j.decision, j.reasoning`,
      ...(model !== undefined && { vectors: { field: 'content', model } }),
      stamp: knownKeys.stamp(tenant),
    })
    const told = { votes: withReasonings(votes, byKey, index), ...wordsOf(index, query) }
    const evidence: Gathered = { scope: scope.name, now, change, stamp, warnings: why, ...counts, ...told }
    return { evidence: isLast || supportsSuggestion(evidence) ? evidence : undefined, numbers }
  }

  async function byWords(index: LexicalIndex, scope: Scope, why: string[]) {
    const found = index.neighbours(query, scope.place)
    if (scope === scopes.at(-1)) forecaster.heed(found)
    const unread = { scope: scope.name, learned: forecaster.learned(index, undefined, found), ...found }
    if (scope !== scopes.at(-1) && !supportsSuggestion(unread)) return undefined
    return (await read(index, { ...unread, votes: nearVotes(unread) }, { scope, why })).evidence
  }

  async function byBoth(using: DenseQuery, index: LexicalIndex, scope: Scope) {
    const { baseline, model, nearest, warningsOf } = using
    const neighbours = index.neighbours(query, scope.place)
    const also = neighbours.votes.map(({ key }) => key)
    const asked = { field: 'content', scope: scope.place, voters: true, also } as const
    const found = await nearest(db, index, asked, (cosines) => {
      if (scope === scopes.at(-1)) forecaster.heed(neighbours, { model, cosines })
      const fused = fusedNeighbours(neighbours, cosines, index.table, baseline)
      const both = { scope: scope.name, learned: forecaster.learned(index, using, neighbours, cosines), ...fused }
      const votes = nearVotes(both)
      return { restsOn: votes, read: read(index, { ...both, votes }, { scope, why: [], model }) }
    })
    return typeof found === 'string' ? byWords(index, scope, warningsOf(found)) : found.evidence
  }

  return indexCache.answer(db, tenant, admits({}), async (index) => {
    const { dense, warnings } = asked ?? (denseSearch.compares(index, 'content') ? await embed() : WORDS_ALONE)
    return firstOf(scopes, (scope) => (dense ? byBoth(dense, index, scope) : byWords(index, scope, warnings)))
  })
}

const WORDS_ALONE: { dense?: DenseQuery; warnings: string[] } = { warnings: [] }

const wordsOf = ({ numberOf, weights }: LexicalIndex, query: string) => ({
  numberOf,
  item: weights({ field: 'content', query }),
})

/**
 * The votes that were read. If one has changed since, its stems may be those of another state than its reasoning: then
 * the choice of a quoted sentence rests on a little less.
 */
function withReasonings(votes: Neighbour[], byKey: ReadonlyMap<string, ReadJudgment>, index: LexicalIndex): Vote[] {
  return votes.flatMap((vote) => {
    const judgment = byKey.get(vote.key)
    if (!judgment) return []
    const { recordId, decision, reasoning } = judgment
    return [{ reasoning, stems: index.reasoningStems(vote.key, decision), ...vote, recordId }]
  })
}

async function firstOf<Scope, Found>(
  scopes: readonly Scope[],
  find: (scope: Scope) => Promise<Found | undefined>,
): Promise<Found> {
  for (const scope of scopes) {
    const found = await find(scope)
    if (found) return found
  }
  throw new Error('No scope was to be tried.')
}
