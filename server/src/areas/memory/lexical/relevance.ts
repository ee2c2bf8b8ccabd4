import { type Language, likenessIn } from '../words/languages.ts'
import { SUBLINEAR } from '../words/sublinear.ts'
import type { FieldTexts } from './field-texts.ts'
import { placeOf } from './segment.ts'
import { LOW_BITS, type StemWeights, weightedSum, withWeights } from './stem-weights.ts'
import type { TextQuery } from './text-query.ts'

/** A text, by its place in the index, with how near it is to a query. */
export interface Scored {
  readonly text: number
  /** 0.7 of the cosine of stems plus 0.3 of that of character 3-grams, corrected for chance. Absolute, 0 to 1. */
  readonly similarity: number
  /** The same without the correction. */
  readonly closeness: number
  /** For ranking: 0.8 of the cosine of stems plus 0.2 of that of character 3-grams. */
  readonly nearness: number
}

/** Computes the similarity of each text to the query. */
export function similarities(query: TextQuery, texts: Uint32Array): Scored[] {
  const { language } = query.field
  const cosines = cosinesOf(query, texts)
  const likeness = likenessIn(language)
  // Before the affinity, because they use what it uses.
  const normOf = language === 'en' ? storedNorm(query.field) : normsIn(query.field, texts)
  const trigramCosine = trigramCosines(query, trigramAffinity(query, language), normOf)
  return Array.from(texts, (text, i) => {
    const cosine = cosines[i] as number
    const trigrams = trigramCosine(text)
    const similarity = Math.min(1, likeness * (0.7 * cosine + 0.3 * aboveChance(trigrams)))
    const closeness = Math.min(1, likeness * (0.7 * cosine + 0.3 * trigrams))
    return { text, similarity, closeness, nearness: 0.8 * cosine + 0.2 * trigrams }
  })
}

/** The part of a cosine of character 3-grams above that of unrelated texts, scaled to 0..1. */
export function aboveChance(cosine: number): number {
  return Math.max(0, (cosine - CHANCE) / (1 - CHANCE))
}

/** The typical cosine of character 3-grams of two unrelated texts of one language. */
const CHANCE = 0.1

/** The affinity of each stem of the field to the character 3-grams of a query. */
type Affinity = (stem: number) => number

const trigramAffinity = ({ field, terms, unknown }: TextQuery, language: Language): Affinity =>
  field.vocabulary.trigrams.affinity(terms, unknown, language)

/** The norm of the vector of a text's character 3-grams. */
type NormOf = (text: number) => number

/** Norms are stored as those of English texts. */
const storedNorm =
  (field: FieldTexts): NormOf =>
  (text) =>
    field.segmentOf(text).trigramNorms[placeOf(text)] as number

function normsIn(field: FieldTexts, texts: Uint32Array): NormOf {
  const norms = field.trigramNorms(texts)
  return (text) => norms[text] as number
}

/** The affinity of English texts, computed once for each stem: for many texts, whose norms would take long. */
export function rememberedAffinity(query: TextQuery): Affinity {
  const affinity = trigramAffinity(query, 'en')
  const known = new Float32Array(query.field.vocabulary.size).fill(UNKNOWN)
  return (stem) => {
    if (known[stem] === UNKNOWN) known[stem] = affinity(stem)
    return known[stem] as number
  }
}

const UNKNOWN = -1

/** The cosine of character 3-grams of a text and the query, even if they share no stem. */
export function trigramCosines(
  { field }: TextQuery,
  affinity: Affinity,
  normOf: NormOf = storedNorm(field),
): (text: number) => number {
  return (text) => {
    const { starts, entries } = field.segmentOf(text)
    const place = placeOf(text)
    let sum = 0
    for (let e = starts[place] as number; e < (starts[place + 1] as number); e++) {
      const entry = entries[e] as number
      sum += affinity(entry >>> 8) * (SUBLINEAR[entry & 255] as number)
    }
    return sum / (normOf(text) || 1)
  }
}

/**
 * The best `limit` texts by relevance. It weighs two scores, each relative to the best: 0.6 of the nearness and 0.4 of
 * BM25. Of the result, 0.65 counts, and 0.35 of how near a text is to the texts that lead by it.
 */
export function rankedByRelevance(
  query: TextQuery,
  scored: Scored[],
  limit: number,
): (Scored & { readonly relevance: number })[] {
  const near = relative(scored.map(({ nearness }) => nearness))
  const byBm25 = relative(bm25Scores(query, scored))
  const own = relative(near.map((value, i) => 0.6 * value + 0.4 * (byBm25[i] as number)))
  const supported = relative(nearnessToLeaders(query.field, scored, own))
  const relevances = own.map((value, i) => 0.65 * value + 0.35 * (supported[i] as number))
  const relevance = (i: number) => relevances[i] as number
  const text = (i: number) => (scored[i] as Scored).text
  const best = scored.map((_, i) => i).sort((a, b) => relevance(b) - relevance(a) || text(b) - text(a))
  return best.slice(0, limit).map((i) => ({ relevance: relevance(i), ...(scored[i] as Scored) }))
}

function relative(values: number[]): number[] {
  const most = Math.max(...values) || 1
  return values.map((value) => value / most)
}

const LEADERS = 10
/** Only texts that score almost like the best have a say: where one answers the query, it stays the first. */
const SHARPNESS = 8

/** The cosine of stems of each text with the sum of the leading texts, up to a factor. */
function nearnessToLeaders(field: FieldTexts, scored: Scored[], scores: number[]): number[] {
  const leaders = scored
    .map(({ text }, i) => ({ text, score: scores[i] as number }))
    .sort((a, b) => b.score - a.score || b.text - a.text)
    .slice(0, LEADERS)
  const gains = new Map<number, number>()
  for (const { text, score } of leaders) {
    const share = score ** SHARPNESS / normAt(field, text)
    for (const entry of field.entriesOf(text)) {
      const stem = entry >>> 8
      const gain = share * (SUBLINEAR[entry & 255] as number) * (field.idf[stem] as number) ** 2
      gains.set(stem, (gains.get(stem) ?? 0) + gain)
    }
  }
  return [
    ...cosinesBy(
      field,
      [...gains],
      Uint32Array.from(scored, ({ text }) => text),
    ),
  ]
}

const K1 = 1.2
const B = 0.75

/** BM25 with the index's idf. A stem of the query counts once: long queries repeat the commonest words. */
function bm25Scores({ field, terms }: TextQuery, scored: Scored[]): number[] {
  const rarities = terms.map(({ stem }) => [stem, field.idf[stem] ?? 0] as const)
  return withWeights(field, rarities, (each) => scored.map(({ text }) => bm25(field, text, each)))
}

function bm25(field: FieldTexts, text: number, { any, byStem }: StemWeights): number {
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
  return cosinesBy(
    field,
    terms.map(({ stem, gain }) => [stem, gain] as const),
    texts,
  )
}

function cosinesBy(field: FieldTexts, gains: readonly (readonly [number, number])[], texts: Uint32Array): Float64Array {
  return withWeights(field, gains, (each) =>
    Float64Array.from(texts, (text) => weightedSum(field.segmentOf(text), placeOf(text), each) / normAt(field, text)),
  )
}

const normAt = (field: FieldTexts, text: number) => field.segmentOf(text).norms[placeOf(text)] || 1
