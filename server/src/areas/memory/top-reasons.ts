import { stemsOf } from './tokenize.ts'

/** Up to three sentences of at most 140 characters that stand for all of them and do not repeat one another. */
export function topReasons(reasonings: { text: string; weight: number }[]): string[] {
  const sentences = reasonings.flatMap(({ text, weight }) =>
    sentencesOf(text).map((sentence) => ({ sentence, weight })),
  )
  const vectors = sentences.map(({ sentence }) => vectorOf(sentence))
  const centroid = new Map<string, number>()
  for (const [i, vector] of vectors.entries()) {
    const weight = sentences[i]?.weight ?? 0
    for (const [stem, value] of vector) centroid.set(stem, (centroid.get(stem) ?? 0) + weight * value)
  }
  const relevance = vectors.map((vector) => cosine(vector, centroid))
  const chosen: number[] = []
  while (chosen.length < REASONS) {
    const next = best(vectors, relevance, chosen)
    if (next === undefined) break
    chosen.push(next)
  }
  return chosen.map((i) => shortened(sentences[i]?.sentence ?? ''))
}

const REASONS = 3
const LONGEST = 140
/** Maximal marginal relevance: how much standing for all counts beside not repeating what is chosen already. */
const LAMBDA = 0.7
const REPETITION = 0.8

function best(vectors: Map<string, number>[], relevance: number[], chosen: number[]): number | undefined {
  let best: number | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const [i, vector] of vectors.entries()) {
    const likeness = Math.max(0, ...chosen.map((c) => cosine(vector, vectors[c] ?? new Map())))
    const value = LAMBDA * (relevance[i] ?? 0) - (1 - LAMBDA) * likeness
    if (likeness < REPETITION && vector.size && value > most) {
      most = value
      best = i
    }
  }
  return best
}

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

function sentencesOf(text: string): string[] {
  return Array.from(segmenter.segment(text.slice(0, 2000)), ({ segment }) => segment.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .slice(0, 8)
}

function shortened(sentence: string): string {
  const characters = Array.from(sentence)
  if (characters.length <= LONGEST) return sentence
  const cut = characters.slice(0, LONGEST - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > LONGEST / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

function vectorOf(sentence: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const stem of stemsOf(sentence)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

function cosine(a: Map<string, number>, b: Map<string, number>): number {
  let dot = 0
  for (const [stem, value] of a) dot += value * (b.get(stem) ?? 0)
  return dot / (Math.hypot(...a.values()) * Math.hypot(...b.values()) || 1)
}
