import { stemsOf } from '../lexical/tokenize.ts'

/**
 * Selects up to three sentences of at most 140 characters that represent all and do not repeat one another. A sentence
 * that must be cut to fit counts half, so whole ones are preferred.
 */
export function topReasons(reasonings: { text: string; weight: number }[]): string[] {
  const numbers = new Map<string, number>()
  const sentences = reasonings.flatMap(({ text, weight }) =>
    sentencesOf(text).map((sentence) => ({ ...sentence, weight, vector: vectorOf(sentence.sentence, numbers) })),
  )
  const sums = new Float64Array(numbers.size)
  for (const { vector, weight } of sentences) addTo(sums, vector, weight)
  const centroid = { amounts: sums, length: lengthOf(sums) }
  const left = sentences
    .filter(({ vector }) => vector.length)
    .map((each) => ({ ...each, relevance: (each.isWhole ? 1 : CUT) * cosine(each.vector, centroid), likeness: 0 }))
  const chosen: string[] = []
  while (chosen.length < REASONS) {
    const next = best(left)
    if (!next) break
    chosen.push(next.sentence)
    const amounts = addTo(new Float64Array(numbers.size), next.vector, 1)
    for (const each of left) {
      each.likeness = Math.max(each.likeness, cosine(each.vector, { amounts, length: next.vector.length }))
    }
  }
  return chosen
}

const REASONS = 3
const LONGEST = 140
const LONGEST_READ = 2000
const CUT = 0.5
/** Maximal marginal relevance: the weight of relevance against not repeating the chosen sentences. */
const LAMBDA = 0.7
const REPETITION = 0.8

/** The frequencies of a sentence's stems. Stems are numbers. */
interface Vector {
  stems: number[]
  counts: number[]
  length: number
}

interface Candidate {
  vector: Vector
  sentence: string
  relevance: number
  /** The highest cosine with a chosen sentence. */
  likeness: number
}

function best(candidates: Candidate[]): Candidate | undefined {
  let best: Candidate | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const candidate of candidates) {
    const value = LAMBDA * candidate.relevance - (1 - LAMBDA) * candidate.likeness
    if (candidate.likeness < REPETITION && value > most) {
      most = value
      best = candidate
    }
  }
  return best
}

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/** The first sentences of a text, shortened; the last one read may be the beginning of a longer one. */
function sentencesOf(text: string): { sentence: string; isWhole: boolean }[] {
  const read = text.slice(0, LONGEST_READ)
  return Array.from(segmenter.segment(read), ({ segment, index }) => {
    const full = segment.replace(/\s+/g, ' ').trim()
    const isRead = read.length === text.length || index + segment.length < read.length
    const sentence = shortened(full)
    return { sentence, isWhole: isRead && sentence === full }
  })
    .filter(({ sentence }) => sentence)
    .slice(0, 8)
}

function shortened(sentence: string): string {
  if (sentence.length <= LONGEST) return sentence
  const characters = Array.from(sentence)
  if (characters.length <= LONGEST) return sentence
  const cut = characters.slice(0, LONGEST - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > LONGEST / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

function vectorOf(sentence: string, numbers: Map<string, number>): Vector {
  const counts = new Map<number, number>()
  for (const stem of stemsOf(sentence)) {
    const number = numbers.get(stem) ?? numbers.size
    numbers.set(stem, number)
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  const values = [...counts.values()]
  return { stems: [...counts.keys()], counts: values, length: lengthOf(values) }
}

function lengthOf(values: number[] | Float64Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum)
}

function addTo(amounts: Float64Array, { stems, counts }: Vector, weight: number): Float64Array {
  for (let i = 0; i < stems.length; i++) {
    const stem = stems[i] as number
    amounts[stem] = (amounts[stem] as number) + weight * (counts[i] as number)
  }
  return amounts
}

function cosine(a: Vector, b: { amounts: Float64Array; length: number }): number {
  let dot = 0
  for (let i = 0; i < a.stems.length; i++) dot += (a.counts[i] as number) * (b.amounts[a.stems[i] as number] as number)
  return dot / (a.length * b.length || 1)
}
