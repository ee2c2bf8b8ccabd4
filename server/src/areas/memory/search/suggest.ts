import { smoothedRate } from '../head/odds.ts'
import type { Side } from '../judgment/decision-polarity.ts'
import { MOST_VOTES, type Neighbour, type Neighbours } from '../judgment/indexed-judgment.ts'
import type { ScopeName } from '../judgment/scope.ts'
import { type Basis, basisOf, type Learned } from './basis.ts'
import { brokenCaveats, caveatsOf, counterExample, splitCaveat } from './caveats.ts'
import { Reasonings } from './reasonings.ts'
import { bySide, REASONED, reviewers, SUPPORT, type Vote, type Weighed, weightOf } from './weighed.ts'
import { whyNone } from './why-none.ts'

/** The evidence of one scope. */
export interface Evidence extends Omit<Neighbours, 'votes'> {
  votes: Vote[]
  scope: ScopeName
  /** The number of a stem in the index of the votes; undefined if no text has held it. */
  numberOf(stem: string): number | undefined
  /** How much each stem of the item tells. */
  item: ReadonlyMap<string, number>
  /** What was learned from the history says of the item; without it a formula decides. */
  learned?: Learned | undefined
  /** The similarity from which a vote is on topic. Default: the calibrated threshold of lexical similarity. */
  tau?: number
  /** Further warnings for the reader, such as that the embedder is down. */
  warnings?: string[]
}

/** A suggested decision, and what it rests on. */
export interface Suggestion {
  recommendation: Side
  /** Calibrated as a probability. */
  confidence: number
  /** The number of weighed judgments that took this side. */
  basedOn: number
  /** The number of weighed judgments of both sides. */
  basedOnTotal: number
  scope: Evidence['scope']
  scopeLabel: string
  topReasons: string[]
  uniqueReviewers: number
  caveats: string[]
  /** The weighed judgments that took this side, the nearest first. */
  supportingRecordIds: string[]
  basis: Basis
}

/** The suggestion; where the votes are split, `conflict` is that of the other side. */
export interface Suggestions {
  primary: Suggestion | null
  conflict: Suggestion | null
  /** Why there is no primary one, in a sentence. */
  why?: string
}

/** The evidence of one scope without its reasonings. */
export type UnreadEvidence<Of extends Neighbour = Neighbour> = Omit<Neighbours, 'votes'> &
  Pick<Evidence, 'tau' | 'learned'> & { votes: Of[]; scope?: Evidence['scope'] }

/** Whether the evidence supports a suggestion: at least two strong votes agree. */
export const supportsSuggestion = (evidence: UnreadEvidence): boolean => leadingSide(evidence).supporting >= SUPPORT

/** The votes that are near enough to be weighed, the nearest first. A suggestion depends on no others. */
export const nearVotes = <Of extends Neighbour>(evidence: UnreadEvidence<Of>): Of[] =>
  usedOf(evidence).map(({ vote }) => vote)

const tauOf = ({ tau, approvals, rejections }: UnreadEvidence) => tau ?? lexicalTau(approvals + rejections)

function usedOf<Of extends Neighbour>(evidence: UnreadEvidence<Of>): Weighed<Of>[] {
  const { learned, votes, scope = 'apiKey' } = evidence
  // What is off the topics of the API key as a whole may be near the few judgments of one place.
  if (scope !== 'apiKey' || learned?.isOnTopic === undefined) return weigh(votes, tauOf(evidence))
  return learned.isOnTopic ? weighNearest(votes) : []
}

/** The leading side with its votes, the number of strong ones, and its share. */
function leadingSide<Of extends Neighbour>(evidence: UnreadEvidence<Of>) {
  const tau = tauOf(evidence)
  const used = usedOf(evidence)
  const share = evidence.learned?.probability ?? approveShare(used, evidence)
  const [leading, trailing]: [Side, Side] = share >= 0.5 ? ['approve', 'reject'] : ['reject', 'approve']
  const [own, others] = bySide(used, leading)
  const supporting = own.filter(({ strong }) => strong).length
  return { tau, used, share, leading, trailing, own, others, supporting }
}

/** Computes the suggestions of the evidence at the time `now`; null, and why, if it supports none. */
export function suggest(evidence: Evidence, now: number): Suggestions {
  const { tau, used, share, leading, trailing, own, others, supporting } = leadingSide(evidence)
  if (supporting < SUPPORT)
    return { primary: null, conflict: null, why: whyNone(evidence, { near: used.length, leading, supporting }) }
  const split = isSplit(own, others)
  const reasonings = new Reasonings(
    used.map(({ vote }) => vote),
    evidence.numberOf,
    evidence.item,
  )
  const caveats = [
    ...(split ? [splitCaveat(own, others)] : []),
    ...counterExample(others, reasonings),
    ...caveatsOf(used, tau, now),
    ...brokenCaveats(evidence.learned),
    ...(evidence.warnings ?? []),
  ]
  const ofBoth = { scope: evidence.scope, used, reasonings, basis: basisOf(evidence, share) }
  return {
    primary: suggestion(leading, { ...ofBoth, own, probability: Math.max(share, 1 - share), caveats }),
    conflict: split
      ? suggestion(trailing, {
          ...ofBoth,
          own: others,
          probability: Math.min(share, 1 - share),
          caveats: [splitCaveat(others, own)],
        })
      : null,
  }
}

/** Whether both sides have support, and the smaller one enough of the weight or of the votes. */
function isSplit(own: Weighed[], others: Weighed[]): boolean {
  if (own.length < SUPPORT || others.length < SUPPORT) return false
  const [weight, count] = [weightOf(own) + weightOf(others), own.length + others.length]
  const least = Math.min(weightOf(own), weightOf(others))
  return least >= SPLIT_WEIGHT * weight || Math.min(own.length, others.length) >= SPLIT_COUNT * count
}

/**
 * The lexical similarity above which a judgment is on topic, given the number of votes in scope. It is calibrated so
 * that unrelated text rarely reaches it.
 */
export function lexicalTau(votes: number): number {
  return 0.046 + 0.0425 * Math.log10(Math.max(votes, 2))
}

/** A vote is weighed from this part of the threshold on. */
const USED_BELOW = 0.85
const NEAR_ENOUGH = 0.3
// The share of the weight, or of the votes, that the smaller side needs for a split.
const SPLIT_WEIGHT = 0.3
const SPLIT_COUNT = 0.4
const PRIOR_WEIGHT = 2
const MOST_CONFIDENT = 0.97

const SCOPE_LABELS = { document: 'This document', organization: 'This organization', apiKey: 'All content' }

/**
 * Near votes count by their closeness. Whether a vote is on topic is decided by its similarity, which is corrected for
 * chance.
 */
function weigh<Of extends Neighbour>(votes: Of[], tau: number): Weighed<Of>[] {
  const near = votes
    .filter(({ closeness }) => closeness > 0 && closeness >= USED_BELOW * tau)
    .sort((a, b) => b.closeness - a.closeness)
    .slice(0, MOST_VOTES)
  const nearest = near[0]?.closeness ?? 1
  return near.map((vote) => ({ vote, weight: (vote.closeness / nearest) ** 3, strong: vote.similarity >= tau }))
}

/** The same where the item as a whole is known to be on topic: a third as near as the nearest is near enough. */
function weighNearest<Of extends Neighbour>(votes: Of[]): Weighed<Of>[] {
  const nearest = Math.max(0, ...votes.map(({ closeness }) => closeness))
  return weigh(votes, (NEAR_ENOUGH * nearest) / USED_BELOW).map((each) => ({ ...each, strong: true }))
}

/** The probability of an approval: the weighted votes, with the share of the scope as a prior. */
function approveShare(used: Weighed<Neighbour>[], { approvals, rejections }: UnreadEvidence): number {
  const prior = smoothedRate(approvals, rejections)
  const [approve] = bySide(used, 'approve')
  return (weightOf(approve) + PRIOR_WEIGHT * prior) / (weightOf(used) + PRIOR_WEIGHT)
}

interface SideEvidence {
  scope: Evidence['scope']
  /** The weighed votes of both sides, and those of this one. */
  used: Weighed[]
  own: Weighed[]
  reasonings: Reasonings
  probability: number
  caveats: string[]
  basis: Basis
}

function suggestion(
  recommendation: Side,
  { scope, used, own, reasonings, probability, caveats, basis }: SideEvidence,
): Suggestion {
  return {
    recommendation,
    confidence: Math.min(Math.round(probability * 1e4) / 1e4, MOST_CONFIDENT),
    basedOn: own.length,
    basedOnTotal: used.length,
    scope,
    scopeLabel: SCOPE_LABELS[scope],
    topReasons: reasonings.topOf(recommendation, own.slice(0, REASONED)).map(({ text }) => text),
    uniqueReviewers: reviewers(own).size,
    caveats,
    supportingRecordIds: own.map(({ vote }) => vote.recordId),
    basis,
  }
}
