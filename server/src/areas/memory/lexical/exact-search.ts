import { canonicalDecision } from '../judgment/decision-polarity.ts'
import type {
  IndexedJudgment,
  JudgmentFilters,
  LexicalQuery,
  LexicalResult,
  MemoryScope,
} from '../judgment/indexed-judgment.ts'
import { priorProbability, trigramWeight } from './prior-frequencies.ts'
import { stemsOf, trigramsOf } from './tokenize.ts'

type Vector = Map<string, number>

/** The specification of the index in plain code, for tests: reads every judgment and computes every weight again. */
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
  const wanted = countsOf(query)
  const scored = judgments
    .map((judgment, i) => ({ judgment, counts: texts[i] ?? new Map(), place: i }))
    .filter(({ judgment }) => admitted(judgment, scope, filters))
    .map((entry) => {
      const cosine = cosineOf(stems(wanted), stems(entry.counts))
      const trigrams = cosineOf(trigramsIn(wanted), trigramsIn(entry.counts))
      return {
        ...entry,
        cosine,
        similarity: 0.7 * cosine + 0.3 * Math.max(0, (trigrams - 0.1) / 0.9),
        closeness: 0.7 * cosine + 0.3 * trigrams,
      }
    })
  const sharing = scored.filter(({ cosine }) => cosine > 0)
  const others = scored.filter(({ cosine, similarity }) => cosine === 0 && similarity > 1e-9)
  const expanded = expandedBm25(
    wanted,
    sharing.map(({ counts }) => counts),
    texts,
    occurrences,
    sharing.map(({ place }) => place),
  )
  const closest = Math.max(...sharing.map(({ closeness }) => closeness))
  const keys = sharing.map(
    ({ closeness }, i) => (0.65 * closeness) / closest + (0.35 * (expanded[i] ?? 0)) / (Math.max(...expanded) || 1),
  )
  const first = sharing
    .map((entry, i) => ({ ...entry, key: keys[i] ?? 0 }))
    .sort((a, b) => b.key - a.key || b.place - a.place)
  const then = others.sort((a, b) => b.similarity - a.similarity || b.place - a.place)
  const hits = [...first, ...then]
    .slice(0, limit)
    .map(({ judgment, similarity }) => ({ recordId: judgment.recordId, similarity }))
  return { hits, totalInScope: scored.length }
}

function admitted(judgment: IndexedJudgment, scope: MemoryScope, filters: JudgmentFilters): boolean {
  const same = <T>(wanted: T | undefined, value: T) => wanted === undefined || wanted === value
  return (
    same<string | null>(scope.organization, judgment.organization) &&
    same<string | null>(scope.document, judgment.document) &&
    (filters.decision === undefined || canonicalDecision(filters.decision) === canonicalDecision(judgment.decision)) &&
    same(filters.judgeType, judgment.judgeType) &&
    same<string | null>(filters.contentType, judgment.contentType) &&
    same<string | null>(filters.reviewerId, judgment.reviewerId) &&
    (filters.documents?.includes(judgment.document ?? '') ?? true) &&
    !filters.excludedDocuments?.includes(judgment.document ?? '') &&
    judgment.createdAt >= (filters.from ?? 0) &&
    judgment.createdAt <= (filters.to ?? Number.POSITIVE_INFINITY)
  )
}

/** BM25 of the query expanded by RM3: half the query, half the twenty heaviest stems of the ten best texts. */
function expandedBm25(query: Vector, found: Vector[], all: Vector[], occurrences: Vector, places: number[]): number[] {
  const average = all.reduce((total, counts) => total + sum(counts), 0) / (all.length || 1) || 1
  const rarity = (stem: string) =>
    Math.log(1 + (all.length - (occurrences.get(stem) ?? 0) + 0.5) / ((occurrences.get(stem) ?? 0) + 0.5))
  const score = (weights: Vector) => (counts: Vector) => {
    const dampening = 1.2 * (0.25 + (0.75 * sum(counts)) / average)
    return [...weights].reduce((total, [stem, weight]) => {
      const f = counts.get(stem) ?? 0
      return total + (weight * rarity(stem) * f * 2.2) / (f + dampening)
    }, 0)
  }
  const scores = found.map(score(query))
  const best = found
    .map((_, i) => i)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (places[b] ?? 0) - (places[a] ?? 0))
  const model: Vector = new Map()
  for (const i of best.slice(0, 10)) {
    for (const [stem, f] of found[i] ?? [])
      model.set(stem, (model.get(stem) ?? 0) + (f / sum(found[i] ?? model)) * (scores[i] ?? 0))
  }
  const heaviest = new Map([...model].sort((a, b) => b[1] - a[1]).slice(0, 20))
  const expanded = new Map([...query].map(([stem, f]) => [stem, (0.5 * f) / sum(query)]))
  for (const [stem, weight] of heaviest)
    expanded.set(stem, (expanded.get(stem) ?? 0) + (0.5 * weight) / (sum(heaviest) || 1))
  return found.map(score(expanded))
}

function trigramsIn(counts: Vector): Vector {
  const vector: Vector = new Map()
  for (const [stem, f] of counts) {
    for (const gram of trigramsOf(stem))
      vector.set(gram, (vector.get(gram) ?? 0) + (1 + Math.log(f)) * trigramWeight(gram))
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

function sum(counts: Vector): number {
  return [...counts.values()].reduce((total, value) => total + value, 0)
}
