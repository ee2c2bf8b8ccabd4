/** The cosine of two texts that have nothing to do with each other, as a model sees it. */
export interface SimilarityBaseline {
  mean: number
  deviation: number
}

/** Texts of which no two are about the same thing. */
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

/** Measures a model by the unit vectors that it made of the probes. */
export function similarityBaseline(vectors: Float32Array[]): SimilarityBaseline {
  const cosines = vectors.flatMap((a, i) => vectors.slice(0, i).map((b) => cosineOf(a, b)))
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length
  const variance = cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / cosines.length
  return { mean, deviation: Math.sqrt(variance) }
}

/** The cosine of two vectors of length 1. */
export function cosineOf(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

/** A cosine as a similarity, 0 to 1: 0 where texts that have nothing to do with each other are as near, 1 for the same. */
export function denseSimilarity(cosine: number, { mean }: SimilarityBaseline): number {
  return Math.min(1, Math.max(0, (cosine - mean) / room(mean)))
}

/**
 * From which similarity on a judgment is about the same thing, among so many: what the nearest of so many texts that
 * have nothing to do with the query is expected to stay below, were their cosines normally distributed.
 */
export function denseTau({ mean, deviation }: SimilarityBaseline, count: number): number {
  return Math.min(0.95, (deviation * Math.sqrt(2 * Math.log(Math.max(count, 2)))) / room(mean))
}

const room = (mean: number) => Math.max(1 - mean, 1e-6)
