import { DAY_MS } from '../../../platform/date-range.ts'
import type { Neighbour, Neighbours } from '../judgment/indexed-judgment.ts'
import { stemsOfQuery } from '../words/tokenize.ts'
import type { Gates } from './gate.ts'
import { type BucketWeights, hashed } from './hashed-words.ts'
import { denseDot, sparseDot } from './logistic-regression.ts'
import { drawnRate, logOdds, probabilityOf, smoothedRate } from './odds.ts'
import { deviationOf, INPUTS, type Input, type Inputs, inputsOf, type Stack } from './stack.ts'

/** How good forecasts of later judgments from earlier ones were, each by what was fitted to those before. */
export interface Measured {
  forecasts: number
  accuracy: number
  auc: number
  ece: number
  brier: number
  /** The accuracy of always choosing the side that was more frequent so far. */
  majority: number
}

/** The weights of regressions on what was reviewed. */
export interface Models {
  weights: BucketWeights
  words: Float32Array
  /** By the vectors of a model. */
  vectors: { model: string; weights: Float32Array } | null
}

/** What was learned from the judgments of an API key. */
export interface Head {
  models: Models
  /** By the inputs that are known of an item: `vectors`, `author`, both or none. */
  stacks: Record<StackName, Stack>
  /** What is near enough to be on topic. Without a gate, the calibrated threshold of words decides. */
  gates: Gates
  /** 1: forecasts of the last weeks kept what they promised. Below: how far they are drawn to the base rate. */
  trust: number
  /** What the last weeks' forecasts promised and kept, where they did not keep it. */
  drift: { forecasts: number; promised: number; kept: number } | null
  /** Approvals and rejections, each counting half as much every 90 days, at a time. */
  recent: { approvals: number; rejections: number; at: number }
  /** How many approved and rejected when it was fitted. */
  fittedTo: { approvals: number; rejections: number }
  measured: Measured
}

/** The stacks of a head, by what they use: which one forecasts depends on what is known of the item. */
export type StackName = 'words' | 'words+vectors' | 'words+author' | 'words+vectors+author'
export const STACK_NAMES: StackName[] = ['words', 'words+vectors', 'words+author', 'words+vectors+author']

export const stackName = (has: { vectors: boolean; author: boolean }): StackName =>
  `words${has.vectors ? '+vectors' : ''}${has.author ? '+author' : ''}` as StackName

/** The inputs of a stack. */
export const inputsIn = (name: StackName): Input[] => INPUTS.filter((input) => name.includes(NEEDS[input] ?? 'words'))

/** What an input needs besides words. */
const NEEDS: Partial<Record<Input, 'vectors' | 'author'>> = {
  nearestVectors: 'vectors',
  vectorModel: 'vectors',
  author: 'author',
}

/** What is known of an item to forecast its decision. */
export interface ItemEvidence {
  byWords: Neighbours
  /** The cosines of the nearest votes, if there are vectors. */
  cosines: ReadonlyMap<string, number> | undefined
  /** The side of a vote. */
  sideOf(key: string): Neighbour['side'] | undefined
}

/** An item's texts as the models read them. */
export interface ItemTexts {
  text: string
  vector: Float32Array | null
}

/** The author's earlier items: how many were approved and rejected. */
export interface AuthorRecord {
  approvals: number
  rejections: number
}

/** How many items of an author weigh as much as the base rate. */
const AUTHOR_PRIOR = 4
const NEAREST = 50
const NEAREST_PRIOR = 2

/** What the models add to the log-odds of the base rate for an item. */
export function modelInputs({ weights, words, vectors }: Models, { text, vector }: ItemTexts) {
  return {
    wordModel: sparseDot(weights.weighed(hashed(stemsOfQuery(text))), words),
    vectorModel: vectors && vector ? denseDot(vector, vectors.weights) : 0,
  }
}

/** The inputs of the votes nearest by words and by vectors. */
export function nearestInputs({ byWords, cosines, sideOf }: ItemEvidence, baseRate: number) {
  const near = [...(cosines ?? [])].sort(([, a], [, b]) => b - a)
  return {
    nearestWords: shareOf(byWords.votes.toSorted(byCloseness), baseRate),
    nearestVectors: shareOf(votesOf(near, sideOf), baseRate),
  }
}

const byCloseness = (a: Closeness, b: Closeness) => b.closeness - a.closeness

/** The nearest of some judgments that have a side. */
function votesOf(near: readonly [string, number][], sideOf: ItemEvidence['sideOf']): Closeness[] {
  const votes: Closeness[] = []
  for (const [key, closeness] of near) {
    if (votes.length === NEAREST) break
    const side = sideOf(key)
    if (side) votes.push({ side, closeness })
  }
  return votes
}

/** The input of an author's record: how much it speaks for an approval. */
export function authorInput(record: AuthorRecord | undefined, baseRate: number): number {
  if (!record) return 0
  const { approvals, rejections } = record
  return logOdds((approvals + AUTHOR_PRIOR * baseRate) / (approvals + rejections + AUTHOR_PRIOR)) - logOdds(baseRate)
}

/** The input of age: whether recent judgments approve more than older ones. Where none are recent it says nothing. */
export const ageInput = (recent: { approvals: number; rejections: number }, baseRate: number): number =>
  logOdds(drawnRate(recent.approvals, recent.rejections, baseRate)) - logOdds(baseRate)

/** Recent judgments count half as much after this time. */
const HALF_LIFE_MS = 90 * DAY_MS

/** By how much a decision counts less after a while: it halves every 90 days. 1 for times in the wrong order. */
export const decay = (fromMs: number, toMs: number): number => 2 ** (-Math.max(0, toMs - fromMs) / HALF_LIFE_MS)

type Closeness = Pick<Neighbour, 'side' | 'closeness'>

/**
 * Of votes, the nearest first. They count by the third power of their closeness; the base rate counts as two of the
 * nearest.
 */
function shareOf(votes: readonly Closeness[], baseRate: number): number {
  const nearest = votes.slice(0, NEAREST)
  const most = nearest[0]?.closeness ?? 0
  if (most <= 0) return 0
  let [approving, all] = [NEAREST_PRIOR * baseRate, NEAREST_PRIOR]
  for (const { side, closeness } of nearest) {
    const weight = Math.max(0, closeness / most) ** 3
    all += weight
    if (side === 'approve') approving += weight
  }
  return logOdds(approving / all) - logOdds(baseRate)
}

/** A forecast, and what made it. */
export interface HeadForecast {
  /** The probability of an approval. */
  probability: number
  baseRate: number
  /** The log-odds that each input adds; below 0 it speaks for a rejection. */
  said: Inputs
}

/** Forecasts the decision on an item. `now` and the counts of all votes tell the age. */
export function foretell(
  head: Head,
  item: ItemTexts & { evidence: ItemEvidence; author: AuthorRecord | undefined },
  { approvals, rejections, now }: { approvals: number; rejections: number; now: number },
): HeadForecast {
  const baseRate = smoothedRate(approvals, rejections)
  const { recent, fittedTo, stacks, trust } = head
  const still = decay(recent.at, now)
  const since = {
    approvals: still * recent.approvals + Math.max(0, approvals - fittedTo.approvals),
    rejections: still * recent.rejections + Math.max(0, rejections - fittedTo.rejections),
  }
  const inputs: Inputs = {
    ...nearestInputs(item.evidence, baseRate),
    ...modelInputs(head.models, item),
    author: authorInput(item.author, baseRate),
    age: ageInput(since, baseRate),
  }
  const hasVectors = item.vector !== null && item.evidence.cosines !== undefined && head.models.vectors !== null
  const stack = stacks[stackName({ vectors: hasVectors, author: item.author !== undefined })]
  const drawnTo = trust < 1 ? drawnRate(since.approvals, since.rejections, baseRate) : baseRate
  return {
    probability: probabilityOf(logOdds(drawnTo) + trust * deviationOf(stack, inputs)),
    baseRate: drawnTo,
    said: inputsOf((input) => trust * stack.scale * stack.weights[input] * inputs[input]),
  }
}
