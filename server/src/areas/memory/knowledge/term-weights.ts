import { priorProbability } from '../words/prior-frequencies.ts'
import { stemsOfQuery } from '../words/tokenize.ts'

/**
 * The distinct stems with their weights, of which the squares add up to 1: sublinear frequency times rarity in general
 * texts. The product of two texts' weights is their cosine. `dull`: stems that tell little of this text.
 */
export function termWeights(stems: readonly string[], dull: ReadonlySet<string> = NONE): Map<string, number> {
  const counts = new Map<string, number>()
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const weights = Array.from(counts, ([stem, count]) => [stem, (1 + Math.log(count)) * rarity(stem)] as const)
  const kept = weights.filter(([, weight]) => weight >= LEAST)
  return normalized(kept.map(([stem, weight]) => [stem, dull.has(stem) ? DULL * weight : weight]))
}

const NONE: ReadonlySet<string> = new Set()
const DULL = 0.25

/** The heaviest of them in a query. */
export function heaviestTerms(query: string, most: number): Map<string, number> {
  const heaviest = [...termWeights(stemsOfQuery(query))].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return new Map(heaviest.slice(0, most))
}

/** Stems that most texts hold are not kept: they would be in every entry and tell nothing. */
const LEAST = 1

const rarity = (stem: string) => Math.log((300 + 1) / (300 * priorProbability(stem) + 1))

function normalized(weights: (readonly [string, number])[]): Map<string, number> {
  const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1
  return new Map(weights.map(([stem, weight]) => [stem, weight / length]))
}
