import { stemsOf } from '../../server/src/areas/memory/words/tokenize.ts'

/** Textbook retrieval on a collection: BM25 and TF-IDF cosine over the same stems, every document scored. */
export function textbookIndex(texts: string[]) {
  const counts = texts.map(countsOf)
  const frequencies = new Map<string, number>()
  for (const stem of counts.flatMap((count) => [...count.keys()]))
    frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1)
  const lengths = counts.map((count) => sum([...count.values()]))
  const averageLength = sum(lengths) / texts.length
  const idf = (stem: string) => Math.log((texts.length + 1) / ((frequencies.get(stem) ?? 0) + 1)) + 1
  const vector = (count: Counts) => unit(new Map([...count].map(([stem, f]) => [stem, (1 + Math.log(f)) * idf(stem)])))
  const vectors = counts.map(vector)

  function rarity(stem: string): number {
    const frequency = frequencies.get(stem) ?? 0
    return Math.log(1 + (texts.length - frequency + 0.5) / (frequency + 0.5))
  }

  return {
    vectors,
    vectorOf: (text: string) => vector(countsOf(text)),
    cosines(query: string): number[] {
      const weights = vector(countsOf(query))
      return vectors.map((document) => dot(weights, document))
    },
    bm25(query: string): number[] {
      const stems = [...countsOf(query)]
      return counts.map((count, i) => {
        const dampening = 1.2 * (0.25 + (0.75 * (lengths[i] ?? 0)) / averageLength)
        return sum(
          stems.map(
            ([stem, q]) => q * rarity(stem) * (((count.get(stem) ?? 0) * 2.2) / ((count.get(stem) ?? 0) + dampening)),
          ),
        )
      })
    },
  }
}

/** Places by falling score. */
export function order(scores: number[]): number[] {
  return scores.map((_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}

/** Logistic regression with a ridge penalty on sparse vectors, by stochastic gradient steps in a fixed order. */
export function logisticRegression(vectors: Counts[], labels: boolean[]): (vector: Counts) => number {
  const weights = new Map<string, number>()
  let bias = 0
  const predict = (vector: Counts) => 1 / (1 + Math.exp(-(bias + dot(vector, weights))))
  const shuffled = vectors.map((_, i) => i).sort((a, b) => ((a * 7919) % 10_007) - ((b * 7919) % 10_007))
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = 1 / (1 + epoch)
    for (const i of shuffled) {
      const vector = vectors[i] ?? new Map()
      const error = Number(labels[i]) - predict(vector)
      bias += 0.1 * rate * error
      for (const [stem, value] of vector) {
        const weight = weights.get(stem) ?? 0
        weights.set(stem, weight + rate * (error * value - RIDGE * weight))
      }
    }
  }
  return predict
}

const EPOCHS = 20
const RIDGE = 0.002

type Counts = Map<string, number>

function countsOf(text: string): Counts {
  const counts: Counts = new Map()
  for (const stem of stemsOf(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

function unit(vector: Counts): Counts {
  const norm = Math.hypot(...vector.values()) || 1
  return new Map([...vector].map(([stem, value]) => [stem, value / norm]))
}

function dot(a: Counts, b: Counts): number {
  let total = 0
  for (const [stem, value] of a) total += value * (b.get(stem) ?? 0)
  return total
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
