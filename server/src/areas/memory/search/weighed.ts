import type { Side } from '../judgment/decision-polarity.ts'
import type { Neighbour } from '../judgment/indexed-judgment.ts'
import type { Reasoned } from './reasonings.ts'

/** A vote with what is not in the index: the id of the judgment and its reasoning, of which the index has the stems. */
export interface Vote extends Neighbour, Reasoned {
  recordId: string
}

/** A vote with its weight; strong if it is on topic. */
export type Weighed<Of extends Neighbour = Vote> = { vote: Of; weight: number; strong: boolean }

/** So many votes of a side support it. */
export const SUPPORT = 2
/** Of so many of the nearest votes reasonings are read: reading more takes time, and they weigh little. */
export const REASONED = 12

/** The votes of a side, and those of the other. */
export function bySide<Of extends Neighbour>(votes: Weighed<Of>[], side: Side): [Weighed<Of>[], Weighed<Of>[]] {
  return [votes.filter(({ vote }) => vote.side === side), votes.filter(({ vote }) => vote.side !== side)]
}

/** The weight of all votes together. */
export function weightOf(votes: Weighed<Neighbour>[]): number {
  return votes.reduce((sum, { weight }) => sum + weight, 0)
}

/** The reviewers that were named. */
export function reviewers(votes: Weighed[]): Set<string> {
  return new Set(votes.flatMap(({ vote }) => vote.reviewerId ?? []))
}
