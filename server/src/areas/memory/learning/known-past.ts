import { restAfter } from '../../../platform/turns/yield.ts'
import { type Nearness, nearness } from '../head/gate.ts'
import type { AuthorRecord, Head } from '../head/head.ts'
import { decisionPolarity, type Side } from '../judgment/decision-polarity.ts'
import type { LexicalHit, LexicalQuery, MemoryScope, Neighbours, TextField } from '../judgment/indexed-judgment.ts'
import { createLexicalIndex } from '../lexical/lexical-index.ts'
import { fused, fusedNeighbours } from '../search/fusion.ts'
import { learnedFrom, passesGate } from '../search/learned-evidence.ts'
import {
  type Suggestion,
  type Suggestions,
  suggest,
  supportsSuggestion,
  type UnreadEvidence,
} from '../search/suggest.ts'
import { comparesTexts } from '../vectors/dense-search.ts'
import { countNearest, type NearestQuery } from '../vectors/nearest.ts'
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
  /** Embeds texts that are asked about. Undefined where that costs a request. */
  embed?: ((texts: string[]) => Promise<Float32Array[]>) | undefined
}

/** An item to ask about. Judgments of its thread are left out. */
export interface Item {
  text: string
  vector: Float32Array | null
  thread: string | null
  author: string | null
}

/** The evidence of a scope: the votes nearest by words, and the cosines of those nearest by vectors. */
interface ScopeEvidence {
  byWords: Neighbours
  cosines: Map<string, number> | undefined
}

/** How many approve, and how many reject. */
type Tally = Pick<Neighbours, 'approvals' | 'rejections'>

interface Known extends Pick<PastJudgment, 'thread' | 'author'> {
  side: Side | null
}

/** The judgments that are known at a moment of the past: the latest, at most `window`. It answers like the service. */
export class KnownPast {
  readonly #index = createLexicalIndex()
  readonly #window: number
  readonly #dense: KnownModel | undefined
  readonly #columns = new Map<TextField, VectorColumn>()
  /** By key, in the order of time. */
  readonly #known = new Map<string, Known>()
  /** The keys of each thread. */
  readonly #threads = new Map<string, Set<string>>()
  readonly #authors = new Map<string, AuthorRecord>()

  constructor(window: number, dense: KnownModel | undefined) {
    this.#window = window
    this.#dense = dense
    if (!dense) return
    this.#columns.set('content', new VectorColumn(dense.dimensions))
    if (!dense.onlyFills) this.#columns.set('review', new VectorColumn(dense.dimensions))
  }

  sideOf(key: string): Side | undefined {
    return this.#known.get(key)?.side ?? undefined
  }

  learn(judgment: PastJudgment): void {
    const { key, thread, author, decision, vectors } = judgment
    const known = { thread, author, side: decisionPolarity(decision) }
    this.#index.upsert(judgment)
    this.#known.set(key, known)
    if (thread !== null) this.#threads.set(thread, (this.#threads.get(thread) ?? new Set()).add(key))
    this.#countForAuthor(known, 1)
    for (const [field, column] of this.#columns) {
      const vector = vectors[field]
      if (vector?.length === column.dimensions) column.put(key, 0, vector)
    }
    const [oldest] = this.#known.keys()
    if (this.#known.size > this.#window && oldest !== undefined) this.#forget(oldest)
  }

  /** Brings the weights of words up to date; rests in between. */
  async settle(): Promise<void> {
    for (let since = performance.now(); this.#index.isStale && this.#index.reweighStep(); since = performance.now()) {
      await restAfter(since)
    }
  }

  /** How many of the known judgments outside of the thread approve and reject. */
  counts({ thread }: Pick<Item, 'thread'>): Tally {
    return this.#without(this.#ofThread(thread), this.#index.table.voters({}))
  }

  /** The author's earlier items outside of the thread; undefined without an author. */
  recordOf({ author, thread }: Item): AuthorRecord | undefined {
    if (author === null) return undefined
    const ownOfThread = [...this.#ofThread(thread)].filter((key) => this.#known.get(key)?.author === author)
    return this.#without(ownOfThread, this.#authors.get(author) ?? NO_RECORD)
  }

  /** The suggestion for an item in the first of the scopes that has one. */
  async suggest(item: Item, scopes: MemoryScope[], now: number, head?: Head): Promise<Suggestions> {
    const learned = head && {
      head,
      author: this.recordOf(item),
      texts: item,
      model: this.#dense?.model,
      isOnTopic: await this.#onTopic(item, head),
      now,
    }
    for (const scope of scopes) {
      const { byWords, cosines } = await this.evidence(item, scope)
      const unread = this.#unread(byWords, cosines, scope)
      const found = learned ? { ...unread, learned: learnedFrom(learned, byWords, cosines, this.#index.table) } : unread
      // Only readers need the ids and the reasons.
      const votes = found.votes.map((vote) => ({ ...vote, recordId: vote.key, reasoning: '', stems: [] }))
      const { numberOf } = this.#index
      const suggestions = suggest({ ...found, votes, scope: nameOf(scope), numberOf, item: NO_ITEM }, now)
      if (suggestions.primary) return suggestions
    }
    return { primary: null, conflict: null }
  }

  /** The evidence of the first scope in which the formula has a suggestion, else of the last. */
  async firstEvidence(item: Item, scopes: MemoryScope[]): Promise<ScopeEvidence> {
    for (const scope of scopes) {
      const evidence = await this.evidence(item, scope)
      const isLast = scope === scopes.at(-1)
      if (isLast || supportsSuggestion(this.#unread(evidence.byWords, evidence.cosines, scope))) return evidence
    }
    throw new Error('No scope was to be tried.')
  }

  async evidence({ text, vector, thread }: Item, scope: MemoryScope): Promise<ScopeEvidence> {
    const found = this.#index.neighbours(text, scope)
    const ofThread = this.#ofThread(thread)
    const votes = found.votes.filter(({ key }) => !ofThread.has(key))
    // Judgments of one thread have one place. So all of them are in a scope of an item of the thread.
    const byWords = { ...this.#without(ofThread, found), votes }
    if (!vector || !this.#comparesVectors()) return { byWords, cosines: undefined }
    const also = votes.map(({ key }) => key)
    const cosines = await this.#nearestVotes(vector, scope, also)
    for (const key of ofThread) cosines.delete(key)
    return { byWords, cosines }
  }

  /** How near a content is to the votes nearest to it, without some; undefined where these are all of the nearest. */
  async nearness(
    { text, vector }: Pick<Item, 'text' | 'vector'>,
    without: Pick<PastJudgment, 'key'>[],
  ): Promise<Nearness | undefined> {
    const left = new Set(without.map(({ key }) => key))
    const { votes } = this.#index.neighbours(text, {})
    const others = votes.filter(({ key }) => !left.has(key))
    const cosines = vector && this.#comparesVectors() ? await this.#nearestVotes(vector, {}, []) : undefined
    for (const key of left) cosines?.delete(key)
    if (cosines?.size === 0 || (others.length === 0 && votes.length > 0)) return undefined
    const similarities = others.map(({ similarity }) => similarity)
    return nearness(similarities, cosines?.values())
  }

  /** The first hits of a search for the item. */
  async search(field: TextField, item: Item, limit: number): Promise<LexicalHit[]> {
    const ofThread = this.#ofThread(item.thread)
    const query = { field, query: item.text, scope: {}, limit: limit + ofThread.size }
    const hits = await this.#hits(query, item.vector)
    return hits.filter(({ key }) => !ofThread.has(key)).slice(0, limit)
  }

  async #hits(query: LexicalQuery, vector: Float32Array | null): Promise<LexicalHit[]> {
    const dense = this.#dense
    if (!vector || !dense || dense.onlyFills) return this.#index.search(query).hits
    const cosines = await this.#cosines({ field: query.field, vector, scope: {}, voters: false, also: [] })
    return fused(this.#index.ranking(query), cosines, dense.baseline)
  }

  async #onTopic(item: Item, head: Head): Promise<boolean | undefined> {
    const { cosines, byWords } = await this.evidence(item, {})
    return passesGate(head, item.text, byWords, this.#dense && cosines && { model: this.#dense.model, cosines })
  }

  #unread(byWords: Neighbours, cosines: Map<string, number> | undefined, scope: MemoryScope) {
    const evidence: UnreadEvidence =
      this.#dense && cosines ? fusedNeighbours(byWords, cosines, this.#index.table, this.#dense.baseline) : byWords
    return { ...evidence, scope: nameOf(scope) }
  }

  #comparesVectors(): boolean {
    return this.#dense !== undefined && comparesTexts(this.#dense.onlyFills, this.#index, 'content')
  }

  #nearestVotes(vector: Float32Array, scope: MemoryScope, also: string[]): Promise<Map<string, number>> {
    return this.#cosines({ field: 'content', vector, scope, voters: true, also })
  }

  async #cosines({ field, vector, scope, voters, also }: NearestQuery): Promise<Map<string, number>> {
    const column = this.#columns.get(field)
    if (!column) return new Map()
    const { table } = this.#index
    while (!column.align(table));
    const filter = voters ? table.voters(scope) : table.admit(scope)
    return column.nearest(vector, { filter, count: countNearest(voters), also })
  }

  #ofThread(thread: string | null): ReadonlySet<string> {
    return (thread === null ? undefined : this.#threads.get(thread)) ?? NONE
  }

  /** A tally without some of the judgments that it counts. */
  #without(keys: Iterable<string>, { approvals, rejections }: Tally): Tally {
    const left = { approvals, rejections }
    for (const key of keys) addTo(left, this.sideOf(key), -1)
    return left
  }

  #countForAuthor({ author, side }: Known, by: 1 | -1): void {
    if (author === null || !side) return
    const record = this.#authors.get(author) ?? { ...NO_RECORD }
    addTo(record, side, by)
    this.#authors.set(author, record)
  }

  #forget(key: string): void {
    const known = this.#known.get(key)
    if (!known) return
    this.#countForAuthor(known, -1)
    this.#index.remove(key)
    this.#known.delete(key)
    for (const column of this.#columns.values()) column.remove(key)
    if (known.thread === null) return
    const ofThread = this.#threads.get(known.thread)
    ofThread?.delete(key)
    if (ofThread?.size === 0) this.#threads.delete(known.thread)
  }
}

function addTo(tally: Tally, side: Side | null | undefined, by: 1 | -1): void {
  if (side === 'approve') tally.approvals += by
  if (side === 'reject') tally.rejections += by
}

const NONE: ReadonlySet<string> = new Set()
const NO_RECORD: Readonly<AuthorRecord> = { approvals: 0, rejections: 0 }
const NO_ITEM: ReadonlyMap<string, number> = new Map()

function nameOf({ organization, document }: MemoryScope): Suggestion['scope'] {
  if (organization === undefined) return 'apiKey'
  return document === undefined ? 'organization' : 'document'
}

/** The scopes that `suggest` tries for an item, the narrowest first. */
export function scopesOf({ organization, document }: PastJudgment): MemoryScope[] {
  if (organization === null) return [{}]
  return document === null ? [{ organization }, {}] : [{ organization, document }, { organization }, {}]
}
