import { BUCKETS, BucketWeights, type HashedText } from '../head/hashed-words.ts'
import type { Models } from '../head/head.ts'
import { denseRows, regress, sparseRows } from '../head/logistic-regression.ts'
import { logOdds, smoothedRate } from '../head/odds.ts'

/** What the models are fitted to. */
export interface Lesson {
  text: HashedText
  vector: Float32Array | null
  approve: boolean
}

/** Penalties of the squared weights (chosen on Catalyst funds 6 and 7). */
const WORDS_PENALTY = 1
const VECTORS_PENALTY = 5

/** Fits the models to lessons. It yields often, so that the caller can pause. */
export function* fitModels(
  lessons: readonly Lesson[],
  dense: { model: string; dimensions: number } | undefined,
): Generator<void, Models> {
  const weights = BucketWeights.of(lessons.map(({ text }) => text))
  yield
  const texts: HashedText[] = []
  for (const [i, { text }] of lessons.entries()) {
    texts.push(weights.weighed(text))
    if (i % 1_000 === 999) yield
  }
  const approvals = lessons.map(({ approve }) => Number(approve))
  const approved = approvals.reduce((sum, value) => sum + value, 0)
  const base = logOdds(smoothedRate(approved, lessons.length - approved))
  const words = yield* regress(sparseRows(texts, BUCKETS), approvals, { base, penalty: WORDS_PENALTY })
  if (!dense) return { weights, words, vectors: null }
  const vectors = denseRows(
    lessons.map(({ vector }) => vector),
    dense.dimensions,
  )
  const byVectors = yield* regress(vectors, approvals, { base, penalty: VECTORS_PENALTY })
  return { weights, words, vectors: { model: dense.model, weights: byVectors } }
}
