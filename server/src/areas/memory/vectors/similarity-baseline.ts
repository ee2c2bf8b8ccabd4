import { cosineOf } from '../../../platform/embedder/cosine.ts'

/** The distribution of a model's cosines between unrelated texts. */
export interface SimilarityBaseline {
  mean: number
  deviation: number
}

/** Texts that are unrelated to one another. */
export const PROBES = [
  'The invoice was paid twice because the supplier sent a reminder.',
  'Rejected: the headline is hard to read on small screens.',
  'Soak the beans overnight and cook them slowly with bay leaves.',
  'The bridge is closed to lorries until the bearings are replaced.',
  'She plays the cello in an orchestra of amateurs.',
  'Approved, the contract names the liable party and the court.',
  'Heavy rain is expected in the valleys on Thursday night.',
  'The vaccine must be kept between two and eight degrees.',
  'Our team lost the final on penalties after extra time.',
  'Prune the apple trees before the buds open.',
  'The query is slow because an index is missing.',
  'Two planets were discovered around a dim red star.',
  'Passengers may carry one bag of up to ten kilograms.',
  'The museum lends the portrait to an exhibition in Lisbon.',
  'The claim that the cream cures eczema has no evidence.',
  'Bees dance to tell the others where nectar is found.',
  'The minister resigned over the leaked letters.',
  'The lens has a scratch, send it back to the workshop.',
  'Children under twelve learn to swim free of charge.',
  'The loan carries a fixed interest rate for five years.',
  'The monologue in the second act is too long.',
  'Wear gloves when you handle the solvent.',
  'The password was stored without a salt.',
  'Sheep were grazing between the ruins of the abbey.',
]

/** Measures a model by its unit vectors of the probes as passages and as queries. */
export function similarityBaseline(passages: Float32Array[], queries: Float32Array[]): SimilarityBaseline {
  const cosines = passages.flatMap((a, i) => queries.flatMap((b, j) => (i === j ? [] : [cosineOf(a, b)])))
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length
  const variance = cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / cosines.length
  return { mean, deviation: Math.sqrt(variance) }
}

/** A cosine as a similarity: 0 for the mean of unrelated texts or less, 1 for the same text. */
export function denseSimilarity(cosine: number, { mean }: SimilarityBaseline): number {
  return Math.min(1, Math.max(0, (cosine - mean) / room(mean)))
}

/**
 * Words take part in what is compared with it, and exceed chance more rarely. The factor was chosen
 * with the built-in embedding (docs/decisions/builtin-embedding.md).
 */
const OF_CHANCE = 0.97

/**
 * The similarity above which a judgment is on topic, by the mean of vectors and words, given the number of judgments.
 * Chance is the expected maximum of that many unrelated texts, if their cosines are normally distributed.
 */
export function denseTau({ mean, deviation }: SimilarityBaseline, count: number): number {
  const chance = deviation * Math.sqrt(2 * Math.log(Math.max(count, 2)))
  return Math.min(0.95, (OF_CHANCE * chance) / room(mean))
}

const room = (mean: number) => Math.max(1 - mean, 1e-6)
