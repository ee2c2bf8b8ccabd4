import { deserialize, serialize } from 'node:v8'
import { candidates } from './candidates.ts'
import type {
  IndexedJudgment,
  LexicalQuery,
  LexicalResult,
  MemoryScope,
  Neighbours,
  RankedHit,
} from './indexed-judgment.ts'
import { JudgmentTable } from './judgment-table.ts'
import { aboveChance, ranked, type Scored, similarities, trigramCosines } from './relevance.ts'
import { TextField } from './text-field.ts'
import { type TextQuery, textQuery } from './text-query.ts'
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
  /** The judgments in scope that took a side, the most similar 50 by what was reviewed, for `suggest`. */
  neighbours(query: string, scope: MemoryScope): Neighbours
  /** Everything the index holds, for `restoreLexicalIndex` in this or a later process of the same version. */
  snapshot(): Uint8Array
}

/** How many candidates by stems are ranked in full. */
const CANDIDATES = 200
const NEIGHBOURS = 50
/** Where too few share a stem, so many of the newest are compared by character 3-grams. */
const TRIGRAM_TEXTS = 16_384
const SMALLEST_GAP = 1024
const FORMAT = 1

interface Content {
  vocabulary: Vocabulary
  table: JudgmentTable
  review: TextField
  content: TextField
}

export function createLexicalIndex(): LexicalIndex {
  return lexicalIndex(emptyContent(new Vocabulary()))
}

/** The index of a snapshot; undefined when another version wrote it: index the judgments anew. */
export function restoreLexicalIndex(snapshot: Uint8Array): LexicalIndex | undefined {
  const state = deserialize(snapshot)
  if (state.format !== FORMAT) return undefined
  const vocabulary = Vocabulary.from(state.vocabulary)
  return lexicalIndex({
    vocabulary,
    table: JudgmentTable.from(state.table),
    review: TextField.from(vocabulary, state.review),
    content: TextField.from(vocabulary, state.content),
  })
}

function lexicalIndex(start: Content): LexicalIndex {
  let held = start
  return {
    get size() {
      return held.table.live
    },
    get bytes() {
      return held.table.bytes + held.vocabulary.bytes + held.review.bytes + held.content.bytes
    },
    upsert(judgment) {
      discount(held, judgment.recordId)
      held = withoutGaps(held)
      held.table.add(judgment)
      held.review.add(stemsOf(`${judgment.decision} ${judgment.reasoning}`))
      held.content.add(stemsOf(judgment.content))
    },
    remove(recordId) {
      const known = discount(held, recordId)
      held = withoutGaps(held)
      return known
    },
    search: (query) => search(held, query),
    ranking: (query) => ranking(held, query),
    get table() {
      return held.table
    },
    neighbours: (query, scope) => neighbours(held, query, scope),
    snapshot() {
      const { vocabulary, table, review, content } = held
      const state = {
        vocabulary: vocabulary.state(),
        table: table.state(),
        review: review.state(),
        content: content.state(),
      }
      return serialize({ format: FORMAT, ...state })
    },
  }
}

function search(held: Content, { field, query, scope, filters, limit }: LexicalQuery): LexicalResult {
  held[field].settle()
  const admission = held.table.admit(scope, filters)
  const parsed = textQuery(held[field], query)
  const texts = candidates(parsed, admission, CANDIDATES)
  const found: Scored[] = ranked(parsed, similarities(parsed, texts)).slice(0, limit)
  if (found.length < limit) found.push(...byTrigrams(parsed, admission.flags, texts, limit - found.length))
  return { hits: found.map((hit) => hitOf(held.table, hit)), totalInScope: admission.count }
}

function ranking(held: Content, { field, query, scope, filters }: Omit<LexicalQuery, 'limit'>): RankedHit[] {
  held[field].settle()
  const parsed = textQuery(held[field], query)
  const texts = candidates(parsed, held.table.admit(scope, filters), CANDIDATES)
  return ranked(parsed, similarities(parsed, texts)).map((hit) => ({ ...hitOf(held.table, hit), relevance: hit.key }))
}

function neighbours(held: Content, query: string, scope: MemoryScope): Neighbours {
  held.content.settle()
  const { approvals, rejections, ...admission } = held.table.voters(scope)
  const parsed = textQuery(held.content, query)
  const votes = similarities(parsed, candidates(parsed, admission, CANDIDATES))
    .sort((a, b) => b.similarity - a.similarity || b.text - a.text)
    .slice(0, NEIGHBOURS)
    .map(({ text, similarity }) => held.table.vote(text, similarity))
  return { votes, approvals, rejections }
}

function discount({ table, review, content }: Content, recordId: string): boolean {
  const row = table.remove(recordId)
  if (row === undefined) return false
  review.discount(row)
  content.discount(row)
  return true
}

/** Numbers the judgments anew once the removed ones are as many as half of the others. */
function withoutGaps(held: Content): Content {
  const { table, vocabulary } = held
  if (table.count - table.live < Math.max(SMALLEST_GAP, table.live / 2)) return held
  const dense = emptyContent(vocabulary)
  for (const row of table.rows()) {
    dense.table.add(table.judgment(row))
    for (const field of ['review', 'content'] as const) {
      dense[field].addEntries(held[field].entriesOf(row), held[field].lengths[row] as number)
    }
  }
  return dense
}

function emptyContent(vocabulary: Vocabulary): Content {
  return {
    vocabulary,
    table: new JudgmentTable(),
    review: new TextField(vocabulary),
    content: new TextField(vocabulary),
  }
}

function hitOf(table: JudgmentTable, { text, similarity }: Scored) {
  return { recordId: table.recordIds[text] as string, similarity }
}

function byTrigrams(query: TextQuery, flags: Uint8Array, known: Uint32Array, limit: number): Scored[] {
  const seen = new Set(known)
  const cosine = trigramCosines(query)
  const found: Scored[] = []
  let left = TRIGRAM_TEXTS
  for (let text = query.field.count - 1; text >= 0 && left > 0; text--) {
    if (!flags[text] || seen.has(text)) continue
    left--
    const closeness = cosine(text)
    const similarity = 0.3 * aboveChance(closeness)
    if (similarity > 0) found.push({ text, similarity, closeness })
  }
  return found.sort((a, b) => b.similarity - a.similarity || b.text - a.text).slice(0, limit)
}
