import { restAfter } from '../../../platform/yield.ts'
import { decisionPolarity } from '../judgment/decision-polarity.ts'
import type { LexicalHit, MemoryScope, Neighbours, TextField } from '../judgment/indexed-judgment.ts'
import { createLexicalIndex } from '../lexical/lexical-index.ts'
import { fused, fusedNeighbours } from '../search/fusion.ts'
import { type Suggestion, type Suggestions, suggest } from '../search/suggest.ts'
import type { SimilarityBaseline } from '../vectors/similarity-baseline.ts'
import { VectorColumn } from '../vectors/vector-column.ts'
import type { PastJudgment } from './read-history.ts'

/** The model by whose vectors is compared. */
export interface KnownModel {
  model: string
  dimensions: number
  baseline: SimilarityBaseline
  /** Whether vectors only fill up what words leave of a search. */
  onlyFills: boolean
}

/** An item to ask about. Judgments of its thread are left out. */
export interface Item {
  text: string
  vector: Float32Array | null
  thread: string | null
}

/** The judgments that are known at a moment of the past: the latest, at most `window`. It answers like the service. */
export class KnownPast {
  readonly #index = createLexicalIndex()
  readonly #window: number
  readonly #dense: KnownModel | undefined
  readonly #columns = new Map<TextField, VectorColumn>()
  /** In the order of time: the thread of each. */
  readonly #known = new Map<string, string | null>()
  readonly #threads = new Map<string, Set<string>>()
  readonly #sides = new Map<string, 'approve' | 'reject'>()

  constructor(window: number, dense: KnownModel | undefined) {
    this.#window = window
    this.#dense = dense
    if (!dense) return
    this.#columns.set('content', new VectorColumn(dense.dimensions))
    if (!dense.onlyFills) this.#columns.set('review', new VectorColumn(dense.dimensions))
  }

  sideOf(recordId: string): 'approve' | 'reject' | undefined {
    return this.#sides.get(recordId)
  }

  learn(judgment: PastJudgment): void {
    const { recordId, thread, decision, vectors } = judgment
    const side = decisionPolarity(decision)
    this.#index.upsert(judgment)
    this.#known.set(recordId, thread)
    if (thread !== null) this.#threads.set(thread, (this.#threads.get(thread) ?? new Set()).add(recordId))
    if (side) this.#sides.set(recordId, side)
    for (const [field, column] of this.#columns) {
      const vector = vectors[field]
      if (vector?.length === column.dimensions) column.put(recordId, 0, vector)
    }
    const [oldest] = this.#known
    if (this.#known.size > this.#window && oldest) this.#forget(...oldest)
  }

  /** Brings the weights of words up to date; rests in between. */
  async settle(): Promise<void> {
    for (let since = performance.now(); this.#index.isStale && this.#index.reweighStep(); since = performance.now()) {
      await restAfter(since)
    }
  }

  /** The suggestion for an item in the first of the scopes that has one, and how many were approved and rejected. */
  async suggest(item: Item, scopes: MemoryScope[], now: number) {
    let found: Suggestions = { primary: null, conflict: null }
    for (const scope of scopes) {
      const { votes, ...counts } = await this.#neighbours(item, scope)
      // Only readers need the reasons.
      const evidence = { ...counts, votes: votes.map((vote) => ({ ...vote, reasoning: '' })), scope: nameOf(scope) }
      found = suggest(evidence, now)
      if (found.primary) break
    }
    return found
  }

  /** How many of the known judgments outside of the thread approve and reject. */
  counts({ thread }: Pick<Item, 'thread'>): { approvals: number; rejections: number } {
    return this.#withoutThread(this.#index.table.voters({}), thread)
  }

  /** The first hits of a search for the item. */
  async search(field: TextField, item: Item, limit: number): Promise<LexicalHit[]> {
    const ofThread = this.#ofThread(item.thread)
    const query = { field, query: item.text, scope: {}, limit: limit + ofThread.size }
    const dense = this.#dense
    const hits =
      dense && !dense.onlyFills && item.vector
        ? fused(this.#index.ranking(query), await this.#cosines(field, item.vector, {}, false), dense.baseline)
        : this.#index.search(query).hits
    return hits.filter(({ recordId }) => !ofThread.has(recordId)).slice(0, limit)
  }

  async #neighbours({ text, vector, thread }: Item, scope: MemoryScope): Promise<Neighbours & { tau?: number }> {
    const byWords = this.#index.neighbours(text, scope)
    const counts = this.#withoutThread(byWords, thread)
    const ofThread = this.#ofThread(thread)
    const votes = byWords.votes.filter(({ recordId }) => !ofThread.has(recordId))
    if (!this.#dense || !vector) return { ...counts, votes }
    const also = votes.map(({ recordId }) => recordId)
    const cosines = await this.#cosines('content', vector, scope, true, also)
    for (const recordId of ofThread) cosines.delete(recordId)
    return fusedNeighbours({ ...counts, votes }, cosines, this.#index.table, this.#dense.baseline)
  }

  async #cosines(field: TextField, vector: Float32Array, scope: MemoryScope, voters: boolean, also: string[] = []) {
    const column = this.#columns.get(field)
    if (!column) return new Map<string, number>()
    const { table } = this.#index
    while (!column.align(table));
    const filter = voters ? table.voters(scope) : table.admit(scope)
    return column.nearest(vector, { filter, count: NEAREST, also })
  }

  #ofThread(thread: string | null): ReadonlySet<string> {
    return (thread === null ? undefined : this.#threads.get(thread)) ?? NONE
  }

  /** Judgments of one thread have one place. So they are in the scope of an item of the thread. */
  #withoutThread(counts: { approvals: number; rejections: number }, thread: string | null) {
    let { approvals, rejections } = counts
    for (const recordId of this.#ofThread(thread)) {
      const side = this.#sides.get(recordId)
      if (side === 'approve') approvals--
      if (side === 'reject') rejections--
    }
    return { approvals, rejections }
  }

  #forget(recordId: string, thread: string | null): void {
    this.#index.remove(recordId)
    this.#known.delete(recordId)
    this.#sides.delete(recordId)
    for (const column of this.#columns.values()) column.remove(recordId)
    if (thread === null) return
    const ofThread = this.#threads.get(thread)
    ofThread?.delete(recordId)
    if (ofThread?.size === 0) this.#threads.delete(thread)
  }
}

const NEAREST = 200
const NONE: ReadonlySet<string> = new Set()

function nameOf({ organization, document }: MemoryScope): Suggestion['scope'] {
  if (organization === undefined) return 'apiKey'
  return document === undefined ? 'organization' : 'document'
}
