import {
  type LexicalHit,
  type LexicalResult,
  MOST_VOTES,
  type Neighbour,
  type Neighbours,
  type RankedHit,
} from '../judgment/indexed-judgment.ts'
import type { JudgmentTable } from '../lexical/judgment-table.ts'
import { denseSimilarity, denseTau, type SimilarityBaseline } from '../vectors/similarity-baseline.ts'
import { lexicalTau } from './suggest.ts'

/**
 * Ranks the judgments that words and vectors found, the best first. The rank is the relevance by words and the cosine,
 * each scaled to 0..1 over all that either found. The cosine counts half where no word matches, and the less the better
 * the best judgment matches by words: it must not disturb a ranking that words settle. Among equals it decides. A
 * judgment without a vector is ranked by words alone. The similarity is the greater of that by words and that by
 * vectors.
 */
export function fused(ranking: RankedHit[], cosines: Map<string, number>, baseline: SimilarityBaseline): LexicalHit[] {
  const byWords = new Map(ranking.map((hit) => [hit.key, hit]))
  const keys = [...new Set([...byWords.keys(), ...cosines.keys()])]
  const worth = scaled(keys.map((key) => byWords.get(key)?.relevance ?? 0))
  const near = scaled([...cosines.values()])
  const weight = weightOfVectors(ranking)
  const nearOf = new Map(Array.from(cosines.keys(), (key, i) => [key, near[i] as number]))
  return keys
    .map((key, i) => {
      const words = worth[i] as number
      const cosine = cosines.get(key)
      const byMeaning = cosine === undefined ? 0 : denseSimilarity(cosine, baseline)
      return {
        key,
        similarity: Math.max(byWords.get(key)?.similarity ?? 0, byMeaning),
        rank: (1 - weight) * words + weight * (nearOf.get(key) ?? words),
        near: nearOf.get(key) ?? 0,
      }
    })
    .sort((a, b) => b.rank - a.rank || b.near - a.near)
    .map(({ rank, near, ...hit }) => hit)
}

/**
 * The judgments that share words with the query, in their order. Then those whose vectors are nearer than chance
 * explains, the nearest first. Then the others that were found by parts of words, and the others by vectors.
 */
export function filledUp(
  { hits, sharingWords, totalInScope }: LexicalResult,
  cosines: Map<string, number>,
  baseline: SimilarityBaseline,
): LexicalHit[] {
  const tau = denseTau(baseline, totalInScope)
  const byVectors = Array.from(cosines, ([key, cosine]) => ({
    key,
    similarity: denseSimilarity(cosine, baseline),
  })).sort((a, b) => b.similarity - a.similarity)
  const near = byVectors.filter(({ similarity }) => similarity >= tau)
  return unique([...hits.slice(0, sharingWords), ...near, ...hits.slice(sharingWords), ...byVectors])
}

/** Without the repetitions of a judgment. */
function unique(hits: LexicalHit[]): LexicalHit[] {
  const first = new Map<string, LexicalHit>()
  for (const hit of hits) if (!first.has(hit.key)) first.set(hit.key, hit)
  return [...first.values()]
}

/** From this similarity of the best hit on, words alone rank. */
const SETTLED_BY_WORDS = 0.4

function weightOfVectors(ranking: RankedHit[]): number {
  const best = Math.max(0, ...ranking.map(({ similarity }) => similarity))
  return 0.5 * Math.max(0, 1 - best / SETTLED_BY_WORDS)
}

/**
 * Combines the evidence by words and by vectors, and returns the similarity from which it counts. Vectors say more of
 * whether a judgment is on topic, words as much of how near it is. Similarities by words are scaled by the two
 * thresholds. A judgment that is not among the nearest by words is at most as near as the last of these; one without a
 * vector votes by words alone.
 */
export function fusedNeighbours(
  byWords: Neighbours,
  cosines: Map<string, number>,
  table: JudgmentTable,
  baseline: SimilarityBaseline,
): Neighbours & { tau: number } {
  const count = byWords.approvals + byWords.rejections
  const tau = denseTau(baseline, count)
  const scale = (byWord: number) => Math.min(1, (byWord * tau) / lexicalTau(count))
  const least = byWords.votes.length < MOST_VOTES ? 0 : Math.min(...byWords.votes.map(({ closeness }) => closeness))
  const wordsOf = new Map(byWords.votes.map((vote) => [vote.key, vote]))
  const fused = Array.from(new Set([...wordsOf.keys(), ...cosines.keys()]), (key) => {
    const { similarity, closeness } = wordsOf.get(key) ?? { similarity: 0, closeness: least }
    const cosine = cosines.get(key)
    if (cosine === undefined) return { key, similarity: scale(similarity), closeness: scale(closeness) }
    const near = denseSimilarity(cosine, baseline)
    const onTopic = near * ON_TOPIC_BY_VECTORS + scale(similarity) * (1 - ON_TOPIC_BY_VECTORS)
    return { key, similarity: onTopic, closeness: (near + scale(closeness)) / 2 }
  }).sort((a, b) => b.closeness - a.closeness)
  const votes: Neighbour[] = []
  for (const { key, similarity, closeness } of fused) {
    if (votes.length === MOST_VOTES) break
    const row = table.rowOf(key)
    if (row !== undefined) votes.push(table.vote(row, similarity, closeness))
  }
  return { ...byWords, votes, tau }
}

const ON_TOPIC_BY_VECTORS = 0.8

function scaled(values: number[]): number[] {
  const least = Math.min(...values)
  const range = Math.max(...values) - least
  return values.map((value) => (range > 0 ? (value - least) / range : 0))
}
