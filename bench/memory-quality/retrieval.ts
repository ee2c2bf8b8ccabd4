import { mean } from '../../server/src/areas/memory/head/calibration.ts'
import { createLexicalIndex } from '../../server/src/areas/memory/lexical/lexical-index.ts'
import { keyOf } from '../../server/src/platform/id.ts'
import { table } from '../table.ts'
import { order, textbookIndex } from './baselines.ts'
import { ndcg10, recall10 } from './metrics.ts'
import type { Judgment, JudgmentSet, RetrievalSet } from './sets.ts'

/** How well search finds, beside TF-IDF and BM25: nDCG@10 and Recall@10 of each set, and the means. */
export function retrievalTable(collections: RetrievalSet[]): string {
  const methods = ['TF-IDF', 'BM25', 'search']
  const rows = collections.map((set) => ({ set, scores: retrieval(set) }))
  const means = methods.map((_, m) => mean(rows.map(({ scores }) => scores[m]?.ndcg ?? 0)))
  const [least] = rows.map(({ scores }) => (scores[2]?.ndcg ?? 0) - (scores[0]?.ndcg ?? 0)).sort((a, b) => a - b)
  return table(
    ['set', 'documents', 'queries', ...methods, 'search / BM25', 'search - TF-IDF'],
    [
      ...rows.map(({ set, scores }) => [
        set.name,
        set.documents.length,
        set.queries.length,
        ...scores.map(({ ndcg, recall }) => `${ndcg.toFixed(3)} (${recall.toFixed(3)})`),
        ratio(scores[2]?.ndcg, scores[1]?.ndcg),
        ((scores[2]?.ndcg ?? 0) - (scores[0]?.ndcg ?? 0)).toFixed(3),
      ]),
      [
        'mean',
        '',
        '',
        ...means.map((value) => value.toFixed(3)),
        ratio(means[2], means[1]),
        `least ${least?.toFixed(3)}`,
      ],
    ],
  )
}

/** A judgment set as retrieval: what reviewers ask of a memory. The queries are of the later judgments. */
export function asRetrieval({ name, history, future }: JudgmentSet): RetrievalSet[] {
  const all = [...history, ...future]
  const reasoned = all.filter(({ reasoning }) => reasoning)
  const ofItem = new Map<string, Judgment[]>()
  for (const judgment of reasoned) ofItem.set(judgment.itemId, [...(ofItem.get(judgment.itemId) ?? []), judgment])
  const judgments = reasoned.map(({ id, approve, reasoning }) => ({
    id,
    text: `${approve ? 'approve' : 'reject'} ${reasoning}`,
  }))
  const items = [...new Map(all.map(({ itemId, content }) => [itemId, { id: itemId, text: content }])).values()]
  const others = ({ id, itemId }: Judgment) =>
    (ofItem.get(itemId) ?? []).filter((other) => other.id !== id).map((other) => other.id)
  const asked = some(future.filter(({ reasoning, content }) => reasoning && content))
  const askedItems = [...new Map(asked.map((judgment) => [judgment.itemId, judgment])).values()]
  return [
    {
      name: `${name}, an item → its judgments`,
      documents: judgments,
      queries: askedItems.map(({ content, itemId }) => ({
        text: content,
        grades: graded((ofItem.get(itemId) ?? []).map(({ id }) => id)),
      })),
    },
    {
      name: `${name}, a judgment → the others of its item`,
      documents: judgments,
      queries: asked
        .filter((judgment) => others(judgment).length > 0)
        .map((judgment) => ({ text: judgment.reasoning, except: judgment.id, grades: graded(others(judgment)) })),
    },
    {
      name: `${name}, a judgment → its item`,
      documents: items,
      queries: asked.map(({ reasoning, itemId }) => ({ text: reasoning, grades: graded([itemId]) })),
    },
  ].filter(({ queries }) => queries.length > 0)
}

const ASKED = 300

/** At most `ASKED` of them, evenly spread. */
function some<Of>(all: Of[]): Of[] {
  const step = Math.max(1, all.length / ASKED)
  return Array.from({ length: Math.min(ASKED, all.length) }, (_, i) => all[Math.floor(i * step)] as Of)
}

const graded = (ids: string[]) => new Map(ids.map((id) => [id, 1]))

function retrieval({ documents, queries }: RetrievalSet): { ndcg: number; recall: number }[] {
  const textbook = textbookIndex(documents.map(({ text }) => text))
  const index = createLexicalIndex()
  const idOf = new Map(documents.map(({ id }) => [keyOf(id), id]))
  for (const { id, text } of documents) index.upsert({ ...BLANK, key: keyOf(id), content: text })
  const ids = (scores: number[]) => order(scores).map((place) => documents[place]?.id ?? '')
  const rankings = [
    (query: string) => ids(textbook.cosines(query)),
    (query: string) => ids(textbook.bm25(query)),
    (query: string) =>
      index.search({ field: 'content', query, scope: {}, limit: 11 }).hits.map(({ key }) => idOf.get(key) ?? ''),
  ]
  return rankings.map((rank) => {
    const ranked = queries.map(({ text, except, grades }) => ({
      ranking: rank(text).filter((id) => id !== except),
      grades,
    }))
    return {
      ndcg: mean(ranked.flatMap(({ ranking, grades }) => ndcg10(ranking, grades) ?? [])),
      recall: mean(ranked.flatMap(({ ranking, grades }) => recall10(ranking, grades) ?? [])),
    }
  })
}

/** A judgment of which nothing is known. */
const BLANK = {
  organization: null,
  document: null,
  decision: '',
  judgeType: 'human',
  contentType: null,
  reviewerId: null,
  createdAt: 0,
  reasoning: '',
}

function ratio(a = 0, b = 0): string {
  return (a / b).toFixed(3)
}
