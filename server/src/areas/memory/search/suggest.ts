import type { Neighbour, Neighbours } from '../judgment/indexed-judgment.ts'
import { type Basis, basisOf, brokenCaveats, type Learned } from './basis.ts'
import { type Reasoned, Reasonings } from './reasonings.ts'
import { CLEAR } from './top-reasons.ts'
import { whyNone } from './why-none.ts'

/** A vote with its reasoning, of which the index stores only the stems. */
export interface Vote extends Neighbour, Reasoned {}

/** The evidence of one scope. */
export interface Evidence extends Omit<Neighbours, 'votes'> {
  votes: Vote[]
  scope: 'document' | 'organization' | 'apiKey'
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

export interface Suggestions {
  primary: Suggestion | null
  conflict: Suggestion | null
  /** Why there is no primary one, in a sentence. */
  why?: string
}

type Side = 'approve' | 'reject'
/** A vote with its weight; strong if it is on topic. */
type Weighed<Of extends Neighbour = Vote> = { vote: Of; weight: number; strong: boolean }

/** The evidence of one scope without its reasonings. */
export type UnreadEvidence<Of extends Neighbour = Neighbour> = Omit<Neighbours, 'votes'> &
  Pick<Evidence, 'tau' | 'learned'> & { votes: Of[]; scope?: Evidence['scope'] }

/** Whether the evidence supports a suggestion: at least two strong votes agree. */
export const leads = (evidence: UnreadEvidence): boolean => lead(evidence).supporting >= SUPPORT

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
function lead<Of extends Neighbour>(evidence: UnreadEvidence<Of>) {
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
  const { tau, used, share, leading, trailing, own, others, supporting } = lead(evidence)
  if (supporting < SUPPORT)
    return { primary: null, conflict: null, why: whyNone(evidence, { near: used.length, leading, supporting }) }
  const basis = basisOf(evidence, share)
  const split = isSplit(own, others)
  const reasonings = new Reasonings(
    used.map(({ vote }) => vote),
    evidence.numberOf,
    evidence.item,
  )
  const caveats = [
    ...(split ? [splitCaveat(own, others)] : []),
    ...counterExample(others, reasonings),
    ...freshnessCaveats(used, now),
    ...thinCaveats(used),
    ...weakCaveats(used, tau),
    ...brokenCaveats(evidence.learned),
    ...(evidence.warnings ?? []),
  ]
  return {
    primary: suggestion(leading, {
      evidence,
      used,
      own,
      reasonings,
      probability: Math.max(share, 1 - share),
      caveats,
      basis,
    }),
    conflict: split
      ? suggestion(trailing, {
          evidence,
          used,
          own: others,
          reasonings,
          probability: Math.min(share, 1 - share),
          caveats: [splitCaveat(others, own)],
          basis,
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

const MOST_VOTES = 50
/** A vote is weighed from this part of the threshold on. */
const USED_BELOW = 0.85
const NEAR_ENOUGH = 0.3
const SUPPORT = 2
// The share of the weight, or of the votes, that the smaller side needs for a split.
const SPLIT_WEIGHT = 0.3
const SPLIT_COUNT = 0.4
const REASONED = 12 // of the nearest votes: reading more takes time, and they weigh little
const PRIOR_WEIGHT = 2
const MOST_CONFIDENT = 0.97
const DAY = 86_400_000

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
  const prior = (approvals + 1) / (approvals + rejections + 2)
  const [approve] = bySide(used, 'approve')
  return (weightOf(approve) + PRIOR_WEIGHT * prior) / (weightOf(used) + PRIOR_WEIGHT)
}

interface SideEvidence {
  evidence: Evidence
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
  { evidence: { scope }, used, own, reasonings, probability, caveats, basis }: SideEvidence,
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

function splitCaveat(own: Weighed[], others: Weighed[]): string {
  const [side, other] = [own[0]?.vote.side ?? 'approve', others[0]?.vote.side ?? 'reject']
  return `The evidence is split: ${own.length} similar judgments ${side}, ${others.length} ${other}.`
}

/**
 * The most telling judgment that decided otherwise, if possible one on topic: the nearest whose reason clearly argues for
 * its side, else the nearest with a reason. Where none on topic has a reason, one that is less near; else the nearest.
 */
function counterExample(others: Weighed[], reasonings: Reasonings): string[] {
  const onTopic = others.filter(({ strong }) => strong)
  const offTopic = others.filter(({ strong }) => !strong)
  let telling: (Pick<Weighed, 'vote' | 'strong'> & { reason: string | undefined }) | undefined
  for (const { vote, strong } of [...onTopic, ...offTopic].slice(0, REASONED)) {
    if (!strong && telling?.strong && telling.reason !== undefined) break
    const [reason] = reasonings.topOf(vote.side, [{ vote, weight: 1 }])
    const isClear = reason !== undefined && reason.force >= CLEAR
    if (isClear || !telling || (reason && telling.reason === undefined))
      telling = { vote, strong, reason: reason?.text }
    if (isClear) break
  }
  if (!telling) return []
  const { vote, strong, reason } = telling
  const verb = vote.side === 'approve' ? 'approves' : 'rejects'
  const quote = reason === undefined ? '.' : `: "${reason}"`
  return [`Counter-example: the ${strong ? 'similar' : 'less similar'} judgment ${vote.recordId} ${verb}${quote}`]
}

function freshnessCaveats(used: Weighed[], now: number): string[] {
  const caveats: string[] = []
  const old = weightOf(used.filter(({ vote }) => now - vote.createdAt > 180 * DAY)) / weightOf(used)
  if (old > 0.7) caveats.push(`Stale: ${percent(old)} of the supporting evidence is older than 180 days.`)
  const recent = used.filter(({ vote }) => now - vote.createdAt <= 90 * DAY)
  const earlier = used.filter(({ vote }) => now - vote.createdAt > 90 * DAY)
  if (drifted(recent, earlier)) {
    caveats.push(
      `Decisions have drifted: ${percent(approved(recent))} of the ${recent.length} similar judgments of the last 90 days approve, ${percent(approved(earlier))} of the ${earlier.length} before.`,
    )
  }
  return caveats
}

/** The rates differ by at least 15 points. One judgment has no rate. */
function drifted(recent: Weighed[], earlier: Weighed[]): boolean {
  if (recent.length < SUPPORT || earlier.length < SUPPORT) return false
  return Math.abs(approved(recent) - approved(earlier)) >= 0.15 - 1e-9
}

function thinCaveats(used: Weighed[]): string[] {
  const people = reviewers(used).size
  const thin = [
    ...(used.length < 4 ? [`only ${used.length} similar judgments`] : []),
    ...(people === 1 ? ['all by one reviewer'] : []),
  ]
  return thin.length ? [`Thin evidence: ${thin.join(', ')}.`] : []
}

function weakCaveats(used: Weighed[], tau: number): string[] {
  const nearest = Math.max(...used.map(({ vote }) => vote.similarity))
  if (nearest >= 1.3 * tau) return []
  // More digits where two would print the same number twice.
  const digits = nearest.toFixed(2) === (1.3 * tau).toFixed(2) ? 4 : 2
  return [
    `Weak match: the nearest judgment has a similarity of ${nearest.toFixed(digits)}; below ${(1.3 * tau).toFixed(digits)} it may be about something else.`,
  ]
}

function bySide<Of extends Neighbour>(votes: Weighed<Of>[], side: Side): [Weighed<Of>[], Weighed<Of>[]] {
  return [votes.filter(({ vote }) => vote.side === side), votes.filter(({ vote }) => vote.side !== side)]
}

function weightOf(votes: Weighed<Neighbour>[]): number {
  return votes.reduce((sum, { weight }) => sum + weight, 0)
}

function approved(votes: Weighed[]): number {
  return votes.filter(({ vote }) => vote.side === 'approve').length / votes.length
}

/** The reviewers that were named. */
function reviewers(votes: Weighed[]): Set<string> {
  return new Set(votes.flatMap(({ vote }) => vote.reviewerId ?? []))
}

const percent = (share: number) => `${Math.round(100 * share)} %`
