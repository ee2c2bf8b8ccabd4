import { DAY_MS } from '../../../platform/date-range.ts'
import type { Learned } from './basis.ts'
import type { Reasonings } from './reasonings.ts'
import { CLEAR } from './top-reasons.ts'
import { REASONED, reviewers, SUPPORT, type Weighed, weightOf } from './weighed.ts'

/** What speaks against trusting votes that were weighed: that they are old, have drifted, are few, or not near. */
export const caveatsOf = (used: Weighed[], tau: number, now: number): string[] => [
  ...freshnessCaveats(used, now),
  ...thinCaveats(used),
  ...weakCaveats(used, tau),
]

/** That both sides have votes, and how many. */
export function splitCaveat(own: Weighed[], others: Weighed[]): string {
  const [side, other] = [own[0]?.vote.side ?? 'approve', others[0]?.vote.side ?? 'reject']
  return `The evidence is split: ${own.length} similar judgments ${side}, ${others.length} ${other}.`
}

/**
 * The most telling judgment that decided otherwise, if possible one on topic: the nearest whose reason clearly argues
 * for its side, else the nearest with a reason. Where none on topic has a reason, one that is less near; else the
 * nearest.
 */
export function counterExample(others: Weighed[], reasonings: Reasonings): string[] {
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

/** Says that forecasts of the last weeks did not keep what they promised. */
export function brokenCaveats(learned: Learned | undefined): string[] {
  if (!learned?.drift) return []
  const { forecasts, promised, kept } = learned.drift
  return [
    `Of the last ${forecasts} forecasts, ${percent(kept)} were right where ${percent(promised)} was expected: confidence is drawn to the share of recent approvals.`,
  ]
}

function freshnessCaveats(used: Weighed[], now: number): string[] {
  const caveats: string[] = []
  const old = weightOf(used.filter(({ vote }) => now - vote.createdAt > 180 * DAY_MS)) / weightOf(used)
  if (old > 0.7) caveats.push(`Stale: ${percent(old)} of the evidence is older than 180 days.`)
  const recent = used.filter(({ vote }) => now - vote.createdAt <= 90 * DAY_MS)
  const earlier = used.filter(({ vote }) => now - vote.createdAt > 90 * DAY_MS)
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

function approved(votes: Weighed[]): number {
  return votes.filter(({ vote }) => vote.side === 'approve').length / votes.length
}

const percent = (share: number) => `${Math.round(100 * share)} %`
