import {
  type IndexedJudgment,
  type LexicalQuery,
  type LexicalResult,
  type MemoryScope,
  MOST_VOTES,
  type Neighbours,
  type RankedHit,
} from '../judgment/indexed-judgment.ts'
import { reviewText } from '../judgment/judgment-text.ts'
import { indexedStems, stemsOf } from '../words/tokenize.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { byTrigrams } from './by-trigrams.ts'
import { candidates } from './candidates.ts'
import type { FieldTexts } from './field-texts.ts'
import { JudgmentTable } from './judgment-table.ts'
import { rankedByRelevance, type Scored, similarities } from './relevance.ts'
import type { RowFilter } from './row-filter.ts'
import { textQuery } from './text-query.ts'
import { bytesOfTexts, emptyTexts, type Texts } from './texts.ts'

/** The searchable judgments of one API key, in memory. */
export interface LexicalIndex {
  readonly size: number
  /** The approximate size in memory. */
  readonly bytes: number
  /** Adds the judgment, or replaces the one with its `key`. */
  upsert(judgment: IndexedJudgment): void
  /** False if there was none. */
  remove(key: string): boolean
  /**
   * The most relevant judgments that scope and filters admit: `limit` of them, if that many share a word or part of
   * one.
   */
  search(query: LexicalQuery): LexicalResult
  /** The 200 most relevant judgments by words alone, to be fused with those by vectors. */
  ranking(query: Omit<LexicalQuery, 'limit'>): RankedHit[]
  /** Whether the texts of a field are English, as far as their commonest words tell. */
  isEnglish(field: LexicalQuery['field']): boolean
  /** How much each stem of a query tells in its field: its idf. */
  weights(query: Pick<LexicalQuery, 'field' | 'query'>): ReadonlyMap<string, number>
  /** The stems of texts that may be other forms of words, each with the word. */
  formsOf(words: readonly string[]): Iterable<[stem: string, word: string]>
  /** The rows that scope and filters are applied to. */
  readonly table: JudgmentTable
  /** The 50 most similar judgments with a side, for `suggest`: by what was reviewed, else by their reasoning. */
  neighbours(query: string, scope: MemoryScope): Neighbours
  /**
   * The first 200 distinct stems of a judgment's reasoning, by number; none if it is not there. `decision` is that of
   * the judgment as it was added.
   */
  reasoningStems(key: string, decision: string): number[]
  /** The number of a stem; undefined if no text has held it. */
  numberOf(stem: string): number | undefined
  /** True if so much has changed that a search would take long. */
  readonly isStale: boolean
  /** Does part of the reweighing that a search of a stale index would do first; false if nothing is left. */
  reweighStep(): boolean
}

/**
 * Candidates by stems that a search ranks in full. More cost time and found nothing better on any measured collection.
 */
const SEARCH_CANDIDATES = 100
/** The same for a ranking that is fused with that of vectors. */
const FUSED_CANDIDATES = 200
/** The same for neighbours: with 100, suggestions were no better and cost a fifth more. */
const NEIGHBOUR_CANDIDATES = 64
/** What an index holds before its first judgment (measured). It counts, because many API keys have few judgments. */
const EMPTY_BYTES = 11_000
const MIN_REMOVED = 1024
/** Rows copied per change: enough to finish before as many rows are removed again. */
const COPIED_PER_CHANGE = 8

/** What an index holds: row `n` of the table belongs to text `n`. */
export interface Content extends Texts {
  table: JudgmentTable
}

/** An index of what `content` holds, which it takes over; by default an empty one. */
export function createLexicalIndex(content = emptyContent()): LexicalIndex {
  let current = content
  let compaction: Compaction | undefined

  /** Copies the rows to new places, a few per change, when the removed ones are as many as half of the others. */
  function compactStep(): void {
    const { live, count } = current.table
    if (!compaction && count - live < Math.max(MIN_REMOVED, live / 2)) return
    compaction ??= { content: emptyContent(current.vocabulary), rows: current.table.rows() }
    if (copySome(current, compaction, COPIED_PER_CHANGE)) return
    current = compaction.content
    compaction = undefined
  }

  function markRemoved(key: string): boolean {
    if (compaction) removeFrom(compaction.content, key)
    return removeFrom(current, key)
  }

  return {
    get size() {
      return current.table.live
    },
    get bytes() {
      return EMPTY_BYTES + bytesOf(current) + (compaction ? bytesOf(compaction.content) - current.vocabulary.bytes : 0)
    },
    get isStale() {
      return current.review.isStale || current.content.isStale
    },
    reweighStep: () => current.review.reweighStep() || current.content.reweighStep(),
    upsert(judgment) {
      markRemoved(judgment.key)
      compactStep()
      current.table.add(judgment)
      current.review.add(indexedStems(reviewText(judgment)))
      current.content.add(indexedStems(judgment.content))
    },
    remove(key) {
      const known = markRemoved(key)
      compactStep()
      return known
    },
    search: (query) => search(current, query),
    ranking: (query) => ranking(current, query),
    isEnglish: (field) => current[field].language === 'en',
    weights: (query) => weights(current, query),
    formsOf: (words) => current.vocabulary.formsOf(words),
    get table() {
      return current.table
    },
    neighbours: (query, scope) => neighbours(current, query, scope),
    reasoningStems: (key, decision) => reasoningStems(current, key, decision),
    numberOf: (stem) => current.vocabulary.find(stem),
  }
}

/** The content that replaces one with many removed rows. It holds the rows that the iterator has passed. */
interface Compaction {
  content: Content
  rows: Iterator<number>
}

/** Copies the next rows; false when all are copied. */
function copySome(current: Content, { content, rows }: Compaction, count: number): boolean {
  for (let i = 0; i < count; i++) {
    const { value: row, done } = rows.next()
    if (done) return false
    content.table.add(current.table.judgment(row))
    content.review.addFrom(current.review, row)
    content.content.addFrom(current.content, row)
  }
  return true
}

function removeFrom({ table, review, content }: Content, key: string): boolean {
  const row = table.remove(key)
  if (row === undefined) return false
  review.markRemoved(row)
  content.markRemoved(row)
  return true
}

function search(current: Content, asked: LexicalQuery): LexicalResult {
  const { field, query, scope, filters, limit } = asked
  current[field].reweigh()
  const filter = current.table.admit(scope, filters)
  const parsed = textQuery(current[field], query)
  const texts = candidates(parsed, filter, SEARCH_CANDIDATES)
  const found: Scored[] = rankedByRelevance(parsed, similarities(parsed, texts), limit)
  const sharingWords = found.length
  if (found.length < limit && !asked.sharesWords) found.push(...byTrigrams(parsed, filter, texts, limit - found.length))
  return { hits: found.map((hit) => hitOf(current.table, hit)), sharingWords, totalInScope: filter.count }
}

function ranking(current: Content, { field, query, scope, filters }: Omit<LexicalQuery, 'limit'>): RankedHit[] {
  current[field].reweigh()
  const parsed = textQuery(current[field], query)
  const texts = candidates(parsed, current.table.admit(scope, filters), FUSED_CANDIDATES)
  return rankedByRelevance(parsed, similarities(parsed, texts), FUSED_CANDIDATES).map((hit) => ({
    relevance: hit.relevance,
    ...hitOf(current.table, hit),
  }))
}

function weights(current: Content, { field, query }: Pick<LexicalQuery, 'field' | 'query'>) {
  current[field].reweigh()
  return textQuery(current[field], query).idf
}

function neighbours(current: Content, query: string, scope: MemoryScope): Neighbours {
  const voters = current.table.voters(scope)
  const byContent = similar(current.content, query, voters)
  // Without a content, the reasoning tells what was reviewed.
  const unsaid = current.content.wordless(voters)
  const byReasoning = unsaid.count ? similar(current.review, query, unsaid) : []
  const votes = [...byContent, ...byReasoning]
    .sort((a, b) => b.closeness - a.closeness || b.text - a.text)
    .slice(0, MOST_VOTES)
    .map(({ text, similarity, closeness }) => current.table.vote(text, similarity, Math.min(1, closeness)))
  return { votes, approvals: voters.approvals, rejections: voters.rejections }
}

/** Stems that are told of a reasoning. Most have fewer. */
const TOLD = 200

/** The review text is the decision and the reasoning: what the decision adds is taken off. */
function reasoningStems({ table, review, vocabulary }: Content, key: string, decision: string): number[] {
  const row = table.rowOf(key)
  if (row === undefined) return []
  const added = stemsOf(decision).map((stem) => vocabulary.find(stem))
  const stems: number[] = []
  for (const entry of review.entriesOf(row)) {
    if (stems.length === TOLD) break
    const stem = entry >>> 8
    if ((entry & 255) > added.filter((each) => each === stem).length) stems.push(stem)
  }
  return stems
}

function similar(field: FieldTexts, query: string, filter: RowFilter): Scored[] {
  field.reweigh()
  const parsed = textQuery(field, query)
  return similarities(parsed, candidates(parsed, filter, NEIGHBOUR_CANDIDATES))
}

const emptyContent = (vocabulary?: Vocabulary): Content => ({ table: new JudgmentTable(), ...emptyTexts(vocabulary) })

const bytesOf = (content: Content) => content.table.bytes + bytesOfTexts(content)

function hitOf(table: JudgmentTable, { text, similarity }: Scored) {
  return { key: table.keyAt(text), similarity }
}
