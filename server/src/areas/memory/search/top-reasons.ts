import { turns } from './arguments.ts'
import type { Sentence } from './sentences.ts'

/** How far a sentence argues for the side of the reasons: below 0 against it. */
type Argues = (sentence: Sentence) => number

/** A sentence that represents others, and how far it argues for its side. */
export interface Reason {
  text: string
  force: number
}

type Reasoning = { sentences: readonly Sentence[]; weight: number }

/**
 * Selects up to three sentences of at most 140 characters that represent all and do not repeat one another. Only whole
 * ones, unless there are none. Those that argue for the other side are left out; those that argue for neither, such as
 * a statement of what an item is, come last. Rather than another, it selects one that shares words with the item. What
 * only one reasoning says is about that one's own item, unless the item says it too. `item`: how much each of its stems
 * tells.
 */
export function topReasons(reasonings: Reasoning[], argues: Argues, item: ReadonlyMap<string, number>): Reason[] {
  const bears = bearingOn(item, reasonings)
  const numbers = new Map<string, number>()
  const sentences = reasonings.flatMap(({ sentences: own, weight }) =>
    own.map((sentence) => {
      const { stems, text, isWhole } = sentence
      const force = argues(sentence)
      return {
        text,
        isWhole: isWhole && !ASKS.test(text),
        weight,
        force,
        isAgainst: turns(text) || force < AGAINST,
        bearing: bears(stems),
        vector: vectorOf(stems, numbers),
      }
    }),
  )
  const sums = new Float64Array(numbers.size)
  for (const { vector, weight } of sentences) addTo(sums, vector, weight)
  const centroid = { amounts: sums, length: lengthOf(sums) }
  const telling = sentences.filter(({ vector, isAgainst }) => vector.length && !isAgainst)
  const whole = telling.filter(({ isWhole, vector }) => isWhole && vector.stems.length >= FEWEST_STEMS)
  const left = (whole.length > 0 ? whole : telling).map((each) => ({
    relevance: cosine(each.vector, centroid) + FORCE * Math.tanh(each.force) + each.bearing,
    likeness: 0,
    ...each,
  }))
  const clear = left.filter(({ force }) => force >= CLEAR)
  const chosen: Reason[] = []
  while (chosen.length < REASONS) {
    const next = best(clear) ?? best(left)
    if (!next) break
    chosen.push({ text: next.text, force: next.force })
    // It is too like itself to be chosen again, also by way of `clear`, which holds the same objects.
    const amounts = addTo(new Float64Array(numbers.size), next.vector, 1)
    for (const each of left) {
      each.likeness = Math.max(each.likeness, cosine(each.vector, { amounts, length: next.vector.length }))
    }
  }
  return chosen
}

/** How far the words of a sentence make it one on the item; below 0 if they make it one on another. */
function bearingOn(item: ReadonlyMap<string, number>, reasonings: Reasoning[]): (stems: readonly string[]) => number {
  const most = Math.max(0, ...item.values())
  const uses = new Map<string, number>()
  for (const { sentences } of reasonings) {
    for (const stem of new Set(sentences.flatMap(({ stems }) => stems))) uses.set(stem, (uses.get(stem) ?? 0) + 1)
  }
  return (stems) => {
    const distinct = [...new Set(stems)]
    const count = distinct.length || 1
    const shared = distinct.reduce((sum, stem) => sum + (item.get(stem) ?? 0), 0)
    const own = reasonings.length < ENOUGH ? [] : distinct.filter((stem) => uses.get(stem) === 1 && !item.has(stem))
    return (SHARED * shared) / (most * Math.sqrt(count) || 1) - OWN * (own.length / count)
  }
}

const REASONS = 3
/** The weights of what a sentence shares with the item, and of what it shares with no other reasoning. */
const SHARED = 0.6
const OWN = 0.4
/** Of fewer reasonings, too little is shared. */
const ENOUGH = 4
/** The weight of how far a sentence argues for its side against how much it says of all. */
const FORCE = 0.3
/** A sentence of fewer stems, such as *Agreed.*, gives no reason. */
const FEWEST_STEMS = 3
/** So far a sentence argues for its side to be told before those that argue for neither. */
export const CLEAR = 0.2
/** So far it may seem to argue for the other side. */
const AGAINST = -0.05
/** A question is no reason. */
const ASKS = /[?？]["'”’)]*$/
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
  text: string
  force: number
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

function vectorOf(stems: string[], numbers: Map<string, number>): Vector {
  const counts = new Map<number, number>()
  for (const stem of stems) {
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
