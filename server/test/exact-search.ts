import { canonicalDecision, decisionPolarity } from '../src/areas/memory/judgment/decision-polarity.ts'
import type {
  IndexedJudgment,
  JudgmentFilters,
  LexicalQuery,
  LexicalResult,
  MemoryScope,
} from '../src/areas/memory/judgment/indexed-judgment.ts'
import { type Language, languageOf, likenessIn } from '../src/areas/memory/words/languages.ts'
import { priorProbability, trigramWeights } from '../src/areas/memory/words/prior-frequencies.ts'
import { stemsOf } from '../src/areas/memory/words/tokenize.ts'
import { placeOf } from '../src/areas/memory/words/trigram-places.ts'
import { trigramsOf } from '../src/areas/memory/words/trigrams.ts'

type Vector = Map<string, number>

/** The specification of the lexical index in plain code: reads every judgment and computes every weight again. */
export function exactSearch(
  judgments: IndexedJudgment[],
  { field, query, scope, filters = {}, limit }: LexicalQuery,
): LexicalResult {
  const texts = judgments.map((judgment) =>
    countsOf(field === 'content' ? judgment.content : `${judgment.decision} ${judgment.reasoning}`),
  )
  const occurrences = countsOf(texts.flatMap((counts) => [...counts.keys()]))
  const idf = (stem: string) =>
    Math.max(
      0,
      Math.log((texts.length + 301) / ((occurrences.get(stem) ?? 0) + 300 * Math.fround(priorProbability(stem)) + 1)),
    )
  const stems = (counts: Vector) => new Map([...counts].map(([stem, f]) => [stem, (1 + Math.log(f)) * idf(stem)]))
  const language = languageOf((stem) => (occurrences.get(stem) ?? 0) / (texts.length || 1))
  const wanted = countsOf(query)
  const scored = judgments
    .map((judgment, i) => ({ judgment, counts: texts[i] ?? new Map(), place: i }))
    .filter(({ judgment }) => admitted(judgment, scope, filters))
    .map((entry) => {
      const cosine = cosineOf(stems(wanted), stems(entry.counts))
      // Texts that share no stem are compared as English ones.
      const used = cosine > 0 ? language : 'en'
      const trigrams = cosineOf(trigramsIn(wanted, used), trigramsIn(entry.counts, used))
      return {
        ...entry,
        cosine,
        similarity: Math.min(1, likenessIn(used) * (0.7 * cosine + 0.3 * Math.max(0, (trigrams - 0.1) / 0.9))),
        nearness: 0.8 * cosine + 0.2 * trigrams,
      }
    })
  const sharing = scored.filter(({ cosine }) => cosine > 0)
  const others = scored.filter(({ cosine, similarity }) => cosine === 0 && similarity > 1e-9)
  const own = mixed([0.6, sharing.map(({ nearness }) => nearness)], [0.4, bm25(wanted, sharing, texts, idf)])
  const leaders = sharing
    .map((entry, i) => ({ ...entry, relevance: own[i] ?? 0 }))
    .sort((a, b) => b.relevance - a.relevance || b.place - a.place)
    .slice(0, 10)
  const support = sharing.map(({ counts }) =>
    sum(leaders.map((leader) => leader.relevance ** 8 * cosineOf(stems(counts), stems(leader.counts)))),
  )
  const relevances = mixed([0.65, own], [0.35, support])
  const first = sharing
    .map((entry, i) => ({ ...entry, relevance: relevances[i] ?? 0 }))
    .sort((a, b) => b.relevance - a.relevance || b.place - a.place)
  const then = others.sort((a, b) => b.similarity - a.similarity || b.place - a.place)
  const hits = [...first, ...then]
    .slice(0, limit)
    .map(({ judgment, similarity }) => ({ key: judgment.key, similarity }))
  return { hits, sharingWords: Math.min(first.length, limit), totalInScope: scored.length }
}

function admitted(judgment: IndexedJudgment, scope: MemoryScope, filters: JudgmentFilters): boolean {
  const same = <T>(wanted: T | undefined, value: T) => wanted === undefined || wanted === value
  return (
    same<string | null>(scope.organization, judgment.organization) &&
    same<string | null>(scope.document, judgment.document) &&
    (filters.decision === undefined || canonicalDecision(filters.decision) === canonicalDecision(judgment.decision)) &&
    same<string | null>(filters.side, decisionPolarity(judgment.decision)) &&
    same(filters.judgeType, judgment.judgeType) &&
    same<string | null>(filters.contentType, judgment.contentType) &&
    same<string | null>(filters.reviewerId, judgment.reviewerId) &&
    (filters.documents?.includes(judgment.document ?? '') ?? true) &&
    !filters.excludedDocuments?.includes(judgment.document ?? '') &&
    judgment.createdAt >= (filters.from ?? 0) &&
    judgment.createdAt <= (filters.to ?? Number.POSITIVE_INFINITY)
  )
}

/** BM25 in which each stem of the query counts once. */
function bm25(query: Vector, found: { counts: Vector }[], all: Vector[], idf: (stem: string) => number): number[] {
  const average = sum(all.map(lengthOf)) / (all.length || 1) || 1
  return found.map(({ counts }) => {
    const dampening = 1.2 * (0.25 + (0.75 * lengthOf(counts)) / average)
    const gain = (f: number) => (f * 2.2) / (f + dampening)
    return sum([...query.keys()].map((stem) => idf(stem) * gain(counts.get(stem) ?? 0)))
  })
}

/** The weighted sum of two scores, each relative to the best; relative to the best again. */
function mixed(...[[a, as], [b, bs]]: [[number, number[]], [number, number[]]]): number[] {
  const relative = (values: number[]) => values.map((value) => value / (Math.max(...values) || 1))
  const others = relative(bs)
  return relative(relative(as).map((value, i) => a * value + b * (others[i] ?? 0)))
}

function trigramsIn(counts: Vector, language: Language): Vector {
  const vector: Vector = new Map()
  const weights = trigramWeights(language)
  for (const [stem, f] of counts) {
    for (const gram of trigramsOf(stem))
      vector.set(gram, (vector.get(gram) ?? 0) + (1 + Math.log(f)) * (weights[placeOf(gram)] as number))
  }
  return vector
}

function countsOf(text: string | string[]): Vector {
  const counts: Vector = new Map()
  for (const stem of typeof text === 'string' ? stemsOf(text) : text) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

function cosineOf(a: Vector, b: Vector): number {
  const dot = [...a].reduce((total, [key, value]) => total + value * (b.get(key) ?? 0), 0)
  return dot / (Math.hypot(...a.values()) * Math.hypot(...b.values()) || 1)
}

const lengthOf = (counts: Vector) => sum([...counts.values()])

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
