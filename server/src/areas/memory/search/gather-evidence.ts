import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { MemoryScope, Neighbour } from '../judgment/indexed-judgment.ts'
import { INDEXED_CHARACTERS } from '../judgment/judgment-text.ts'
import { admits } from '../judgment/scope.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import type { DenseQuery } from '../vectors/dense-search.ts'
import type { VectorNumbers } from '../vectors/nearest.ts'
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
  scopes: readonly Scope[]
  /** Id of the user who wrote the item. */
  author?: string | undefined
  /** What is known of the API key. */
  known: Pick<KnownOfKey, 'vectors' | 'headVersion'>
}

interface Scope {
  name: Evidence['scope']
  place: MemoryScope
}

type ReadJudgment = { recordId: string; decision: string; reasoning: string }

/** The parts of a process that a suggestion uses. */
type SuggestServices = SearchServices & Pick<Services, 'headCache' | 'clock' | 'config'>

/** An item to decide on, and what its evidence is gathered with. */
interface Question {
  db: Db
  tenant: ApiKeyTenant
  knownKeys: SuggestServices['knownKeys']
  index: LexicalIndex
  forecaster: Forecaster
  query: string
  /** The scope whose evidence is returned whatever it supports. */
  lastScope: Scope | undefined
}

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
  const [embedded, forecaster] = await Promise.all([
    denseSearch.onlyFills ? undefined : embed(),
    Forecaster.of(db, tenant, services, { query, author, headVersion: known.headVersion }),
  ])
  return indexCache.answer(db, tenant, admits({}), async (index) => {
    const { dense, warnings } = embedded ?? (denseSearch.compares(index, 'content') ? await embed() : WORDS_ALONE)
    const question = { db, tenant, knownKeys, index, forecaster, query, lastScope: scopes.at(-1) }
    for (const scope of scopes) {
      const evidence = await (dense ? byWordsAndVectors(question, scope, dense) : byWords(question, scope, warnings))
      if (evidence) return evidence
    }
    throw new Error('No scope was to be tried.')
  })
}

/** The evidence of a scope by words; undefined if the next scope must be tried. */
async function byWords(question: Question, scope: Scope, warnings: string[]): Promise<Gathered | undefined> {
  const { index, forecaster, query, lastScope } = question
  const neighbours = index.neighbours(query, scope.place)
  if (scope === lastScope) forecaster.checkTopic(neighbours)
  const unread = { scope: scope.name, learned: forecaster.learned(index, undefined, neighbours), ...neighbours }
  if (scope !== lastScope && !supportsSuggestion(unread)) return undefined
  return (await readVotes(question, { ...unread, votes: nearVotes(unread) }, { scope, warnings })).evidence
}

/** The same by words and vectors; by words alone, with a warning, where the vectors cannot be compared. */
async function byWordsAndVectors(question: Question, scope: Scope, dense: DenseQuery): Promise<Gathered | undefined> {
  const { db, index, forecaster, query, lastScope } = question
  const { baseline, model, nearest, warningsOf } = dense
  const neighbours = index.neighbours(query, scope.place)
  const also = neighbours.votes.map(({ key }) => key)
  const wanted = { field: 'content', scope: scope.place, voters: true, also } as const
  const found = await nearest(db, index, wanted, (cosines) => {
    if (scope === lastScope) forecaster.checkTopic(neighbours, { model, cosines })
    const fused = fusedNeighbours(neighbours, cosines, index.table, baseline)
    const unread = { scope: scope.name, learned: forecaster.learned(index, dense, neighbours, cosines), ...fused }
    const votes = nearVotes(unread)
    return { restsOn: votes, read: readVotes(question, { ...unread, votes }, { scope, warnings: [], model }) }
  })
  return typeof found === 'string' ? byWords(question, scope, warningsOf(found)) : found.evidence
}

/**
 * Reads the votes of a scope, and with a model the numbers of their vectors. Without evidence the next scope must be
 * tried.
 */
async function readVotes(
  { db, tenant, knownKeys, index, query, lastScope }: Question,
  { votes, ...counts }: UnreadEvidence,
  { scope, warnings, model }: { scope: Scope; warnings: string[]; model?: string },
): Promise<{ evidence: Gathered | undefined; numbers: VectorNumbers }> {
  const isLast = scope === lastScope
  if (votes.length === 0 && !isLast) return { evidence: undefined, numbers: new Map() }
  const { byKey, change, now, numbers, stamp } = await readByKey<ReadJudgment>(db, tenant, {
    keys: votes.map(({ key }) => key),
    condition: admits(scope.place),
    columns: sql`j.record_id as "recordId", j.decision, left(j.reasoning, ${INDEXED_CHARACTERS}) as reasoning`,
    ...(model !== undefined && { vectors: { field: 'content', model } }),
    stamp: knownKeys.stamp(tenant),
  })
  const evidence: Gathered = {
    scope: scope.name,
    now,
    change,
    stamp,
    warnings,
    ...counts,
    votes: withReasonings(votes, byKey, index),
    numberOf: index.numberOf,
    item: index.weights({ field: 'content', query }),
  }
  return { evidence: isLast || supportsSuggestion(evidence) ? evidence : undefined, numbers }
}

const WORDS_ALONE: { dense?: DenseQuery; warnings: string[] } = { warnings: [] }

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
