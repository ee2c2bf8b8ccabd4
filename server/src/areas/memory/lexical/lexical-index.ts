import type {
  IndexedJudgment,
  LexicalQuery,
  LexicalResult,
  MemoryScope,
  Neighbours,
  RankedHit,
} from '../judgment/indexed-judgment.ts'
import { byTrigrams } from './by-trigrams.ts'
import { candidates } from './candidates.ts'
import { JudgmentTable } from './judgment-table.ts'
import { ranked, type Scored, similarities } from './relevance.ts'
import type { RowFilter } from './row-filter.ts'
import { TextField } from './text-field.ts'
import { textQuery } from './text-query.ts'
import { stemsOf } from './tokenize.ts'
import { Vocabulary } from './vocabulary.ts'

/** The judgments of one API key, searchable in the process that holds them. */
export interface LexicalIndex {
  readonly size: number
  /** About how much memory it holds. */
  readonly bytes: number
  /** Adds the judgment, or replaces the one with its `recordId`. */
  upsert(judgment: IndexedJudgment): void
  /** False when there was none. */
  remove(recordId: string): boolean
  /** Of all that scope and filters admit the most relevant, as many as `limit` where so many share a word or part of one. */
  search(query: LexicalQuery): LexicalResult
  /** The 200 most relevant by words alone, for what weighs them against other means. */
  ranking(query: Omit<LexicalQuery, 'limit'>): RankedHit[]
  /** What scope and filters are judged by. */
  readonly table: JudgmentTable
  /** The judgments in scope that took a side, the most similar 50, for `suggest`: by what was reviewed, else by reasoning. */
  neighbours(query: string, scope: MemoryScope): Neighbours
  /** True when so much has changed that a search would take long. */
  readonly isStale: boolean
  /** Does a share of what a search of a stale index would do first; false when there is nothing to do. */
  reweighStep(): boolean
}

/** How many candidates by stems are ranked in full for a search: more find nothing better on any collection measured, and cost more. */
const CANDIDATES = 100
/** The same where others are to be weighed against what vectors find. */
const FUSED = 200
const NEIGHBOURS = 50
/** So many by stems are compared in full for those: suggestions by 100 were no better, and cost a fifth more. */
const COMPARED = 64
const SMALLEST_GAP = 1024
/** Copied at each change while numbers are given anew: all are long before there are as many gaps again. */
const COPIED = 8

interface Content {
  vocabulary: Vocabulary
  table: JudgmentTable
  review: TextField
  content: TextField
}

export function createLexicalIndex(): LexicalIndex {
  let held = emptyContent(new Vocabulary())
  let dense: Dense | undefined

  /** Gives the judgments new numbers, a few at each change, when the removed ones are as many as half of the others. */
  function closeGaps(): void {
    const { live, count } = held.table
    if (!dense && count - live < Math.max(SMALLEST_GAP, live / 2)) return
    dense ??= { content: emptyContent(held.vocabulary), rows: held.table.rows() }
    if (copied(held, dense, COPIED)) return
    held = dense.content
    dense = undefined
  }

  function markRemoved(recordId: string): boolean {
    if (dense) forget(dense.content, recordId)
    return forget(held, recordId)
  }

  return {
    get size() {
      return held.table.live
    },
    get bytes() {
      return held.vocabulary.bytes + bytesOf(held) + (dense ? bytesOf(dense.content) : 0)
    },
    get isStale() {
      return held.review.isStale || held.content.isStale
    },
    reweighStep: () => held.review.reweighStep() || held.content.reweighStep(),
    upsert(judgment) {
      markRemoved(judgment.recordId)
      closeGaps()
      held.table.add(judgment)
      held.review.add(stemsOf(`${judgment.decision} ${judgment.reasoning}`))
      held.content.add(stemsOf(judgment.content))
    },
    remove(recordId) {
      const known = markRemoved(recordId)
      closeGaps()
      return known
    },
    search: (query) => search(held, query),
    ranking: (query) => ranking(held, query),
    get table() {
      return held.table
    },
    neighbours: (query, scope) => neighbours(held, query, scope),
  }
}

/** What takes the place of a content with many gaps: so far it has the rows that the iterator has passed. */
interface Dense {
  content: Content
  rows: Iterator<number>
}

/** Copies some more; false when all is copied. */
function copied(held: Content, { content, rows }: Dense, count: number): boolean {
  for (let i = 0; i < count; i++) {
    const { value: row, done } = rows.next()
    if (done) return false
    content.table.add(held.table.judgment(row))
    content.review.addFrom(held.review, row)
    content.content.addFrom(held.content, row)
  }
  return true
}

function forget({ table, review, content }: Content, recordId: string): boolean {
  const row = table.remove(recordId)
  if (row === undefined) return false
  review.markRemoved(row)
  content.markRemoved(row)
  return true
}

function search(held: Content, { field, query, scope, filters, limit }: LexicalQuery): LexicalResult {
  held[field].reweigh()
  const admission = held.table.admit(scope, filters)
  const parsed = textQuery(held[field], query)
  const texts = candidates(parsed, admission, CANDIDATES)
  const found: Scored[] = ranked(parsed, similarities(parsed, texts), limit)
  if (found.length < limit) found.push(...byTrigrams(parsed, admission, texts, limit - found.length))
  return { hits: found.map((hit) => hitOf(held.table, hit)), totalInScope: admission.count }
}

function ranking(held: Content, { field, query, scope, filters }: Omit<LexicalQuery, 'limit'>): RankedHit[] {
  held[field].reweigh()
  const parsed = textQuery(held[field], query)
  const texts = candidates(parsed, held.table.admit(scope, filters), FUSED)
  return ranked(parsed, similarities(parsed, texts), FUSED).map((hit) => ({
    ...hitOf(held.table, hit),
    relevance: hit.key,
  }))
}

function neighbours(held: Content, query: string, scope: MemoryScope): Neighbours {
  const voters = held.table.voters(scope)
  const byContent = similar(held.content, query, voters)
  // Where nobody said what was reviewed, why it was decided so tells what it was about.
  const unsaid = held.content.wordless(voters)
  const byReasoning = unsaid.count ? similar(held.review, query, unsaid) : []
  const votes = [...byContent, ...byReasoning]
    .sort((a, b) => b.closeness - a.closeness || b.text - a.text)
    .slice(0, NEIGHBOURS)
    .map(({ text, similarity, closeness }) => held.table.vote(text, similarity, Math.min(1, closeness)))
  return { votes, approvals: voters.approvals, rejections: voters.rejections }
}

function similar(field: TextField, query: string, admission: RowFilter): Scored[] {
  field.reweigh()
  const parsed = textQuery(field, query)
  return similarities(parsed, candidates(parsed, admission, COMPARED))
}

function emptyContent(vocabulary: Vocabulary): Content {
  return {
    vocabulary,
    table: new JudgmentTable(),
    review: new TextField(vocabulary),
    content: new TextField(vocabulary),
  }
}

const bytesOf = ({ table, review, content }: Content) => table.bytes + review.bytes + content.bytes

function hitOf(table: JudgmentTable, { text, similarity }: Scored) {
  return { recordId: table.recordIds[text] as string, similarity }
}
