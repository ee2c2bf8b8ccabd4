import { placeOf } from './segment.ts'
import { LOW_BITS, type StemWeights, weightedSum, withWeights } from './stem-weights.ts'
import { SUBLINEAR } from './sublinear.ts'
import type { TextField } from './text-field.ts'
import type { TextQuery } from './text-query.ts'

export interface Scored {
  readonly text: number
  /** 0.7 of the cosine of stems plus 0.3 of that of character 3-grams, corrected for chance. Absolute, 0 to 1. */
  readonly similarity: number
  /** The same without the correction, for ranking. */
  readonly closeness: number
}

/** Computes the similarity of each text to the query. */
export function similarities(query: TextQuery, texts: Uint32Array): Scored[] {
  const cosines = cosinesOf(query, texts)
  const trigramCosine = trigramCosines(query)
  return Array.from(texts, (text, i) => {
    const cosine = cosines[i] as number
    const trigrams = trigramCosine(text)
    const similarity = Math.min(1, 0.7 * cosine + 0.3 * aboveChance(trigrams))
    return { text, similarity, closeness: 0.7 * cosine + 0.3 * trigrams }
  })
}

/** The part of a cosine of character 3-grams above that of unrelated texts, scaled to 0..1. */
export function aboveChance(cosine: number): number {
  return Math.max(0, (cosine - CHANCE) / (1 - CHANCE))
}

/** The typical cosine of character 3-grams of two unrelated texts of one language. */
const CHANCE = 0.1

/** The cosine of character 3-grams of a text and the query, even if they share no stem. */
export function trigramCosines({ field, terms, unknown }: TextQuery): (text: number) => number {
  const affinity = field.vocabulary.trigrams.affinity(terms, unknown)
  return (text) => {
    const { starts, entries, trigramNorms } = field.segmentOf(text)
    const place = placeOf(text)
    let sum = 0
    for (let e = starts[place] as number; e < (starts[place + 1] as number); e++) {
      const entry = entries[e] as number
      sum += affinity(entry >>> 8) * (SUBLINEAR[entry & 255] as number)
    }
    return sum / ((trigramNorms[place] as number) || 1)
  }
}

/**
 * The best `limit` texts by relevance: 0.65 of the similarity and 0.35 of BM25 of the query expanded by RM3, each
 * relative to the best.
 */
export function rankedByRelevance(
  query: TextQuery,
  scored: Scored[],
  limit: number,
): (Scored & { readonly key: number })[] {
  const expanded = expandedScores(query, scored)
  const closest = Math.max(...scored.map(({ closeness }) => closeness)) || 1
  const most = Math.max(...expanded) || 1
  const keys = scored.map(({ closeness }, i) => 0.65 * (closeness / closest) + 0.35 * ((expanded[i] as number) / most))
  const key = (i: number) => keys[i] as number
  const text = (i: number) => (scored[i] as Scored).text
  const best = scored.map((_, i) => i).sort((a, b) => key(b) - key(a) || text(b) - text(a))
  return best.slice(0, limit).map((i) => ({ ...(scored[i] as Scored), key: key(i) }))
}

const FEEDBACK_TEXTS = 10
const FEEDBACK_STEMS = 20
const FEEDBACK_SHARE = 0.5

function expandedScores(query: TextQuery, scored: Scored[]): number[] {
  const { field, terms } = query
  const score = (weights: [number, number][]) => {
    const rarities = weights.map(([stem, weight]) => [stem, weight * rarity(field, stem)] as const)
    return withWeights(field, rarities, (each) => scored.map(({ text }) => bm25(field, text, each)))
  }
  const first = score(terms.map(({ stem, frequency }) => [stem, frequency]))
  const model = feedbackModel(field, scored, first)
  const length = [...query.stems.values()].reduce((sum, frequency) => sum + frequency, 0)
  const expanded = new Map(terms.map(({ stem, frequency }) => [stem, (1 - FEEDBACK_SHARE) * (frequency / length)]))
  for (const [stem, share] of model) expanded.set(stem, (expanded.get(stem) ?? 0) + FEEDBACK_SHARE * share)
  return score([...expanded])
}

/** The heaviest stems of the best texts, with weights that add up to 1. */
function feedbackModel(field: TextField, scored: Scored[], scores: number[]): [number, number][] {
  const best = scored
    .map(({ text }, i) => ({ text, score: scores[i] as number }))
    .sort((a, b) => b.score - a.score || b.text - a.text)
    .slice(0, FEEDBACK_TEXTS)
  const model = new Map<number, number>()
  for (const { text, score } of best) {
    const length = field.segmentOf(text).lengths[placeOf(text)] || 1
    for (const entry of field.entriesOf(text)) {
      model.set(entry >>> 8, (model.get(entry >>> 8) ?? 0) + ((entry & 255) / length) * score)
    }
  }
  // So that only few are sorted as pairs.
  const least = Float64Array.from(model.values()).sort().at(-FEEDBACK_STEMS) ?? 0
  const heaviest = [...model]
    .filter(([, weight]) => weight >= least)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, FEEDBACK_STEMS)
  const total = heaviest.reduce((sum, [, weight]) => sum + weight, 0) || 1
  return heaviest.map(([stem, weight]) => [stem, weight / total])
}

const K1 = 1.2
const B = 0.75

function rarity(field: TextField, stem: number): number {
  const occurrences = field.occurrences[stem] ?? 0
  return Math.log(1 + (field.live - occurrences + 0.5) / (occurrences + 0.5))
}

function bm25(field: TextField, text: number, { any, byStem }: StemWeights): number {
  const { starts, entries, lengths } = field.segmentOf(text)
  const place = placeOf(text)
  const dampening = K1 * (1 - B + (B * (lengths[place] as number) * field.live) / (field.totalLength || 1))
  let sum = 0
  for (let e = starts[place] as number; e < (starts[place + 1] as number); e++) {
    const entry = entries[e] as number
    if (any[(entry >>> 8) & LOW_BITS])
      sum += ((byStem[entry >>> 8] as number) * (entry & 255) * (K1 + 1)) / ((entry & 255) + dampening)
  }
  return sum
}

function cosinesOf({ field, terms }: TextQuery, texts: Uint32Array): Float64Array {
  const gains = terms.map(({ stem, gain }) => [stem, gain] as const)
  return withWeights(field, gains, (each) =>
    Float64Array.from(texts, (text) => {
      const segment = field.segmentOf(text)
      const place = placeOf(text)
      return weightedSum(segment, place, each) / ((segment.norms[place] as number) || 1)
    }),
  )
}
