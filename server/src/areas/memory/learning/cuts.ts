import { textHash } from '../judgment/judgment-text.ts'
import type { PastJudgment } from './read-history.ts'

/** Judgments in an order, and where they are cut: what comes after a cut is forecast by what comes before. */
export interface CutHistory {
  judgments: PastJudgment[]
  cuts: number[]
  /** All are of one time, as after an import without times. They are then ordered by what was reviewed. */
  isOfOneTime: boolean
}

/** About where a history is cut. */
const CUTS = [0.25, 0.4, 0.55, 0.7, 0.85]
/** The fewest judgments before the first cut, and in each part after one. */
const FEWEST_BEFORE = 80
const FEWEST_BETWEEN = 20

/**
 * Cuts judgments that are ordered by time. No cut lies between judgments of one time: an import may have days only,
 * with all reviews of an item on one. If all are of one time, none lies between judgments on the same content.
 */
export function cutHistory(judgments: PastJudgment[]): CutHistory {
  const byTime = cutsBetween(judgments, ({ createdAt }) => createdAt)
  if (byTime.length > 0) return { judgments, cuts: byTime, isOfOneTime: false }
  const hashes = new Map(judgments.map((judgment) => [judgment, textHash(judgment.content)]))
  const hashOf = (judgment: PastJudgment) => hashes.get(judgment) ?? ''
  const ordered = judgments.toSorted((a, b) => Number(hashOf(a) > hashOf(b)) - Number(hashOf(a) < hashOf(b)))
  return { judgments: ordered, cuts: cutsBetween(ordered, hashOf), isOfOneTime: true }
}

/** The places nearest to `CUTS` where the value changes. */
function cutsBetween(judgments: PastJudgment[], whatOf: (judgment: PastJudgment) => unknown): number[] {
  const values = judgments.map(whatOf)
  const places = values.flatMap((value, i) => (i > 0 && value !== values[i - 1] ? [i] : []))
  const possible = places.filter((place) => place >= FEWEST_BEFORE && place <= judgments.length - FEWEST_BETWEEN)
  const cuts: number[] = []
  for (const share of CUTS) {
    const wanted = share * judgments.length
    const last = cuts.at(-1)
    const left = possible.filter((place) => last === undefined || place >= last + FEWEST_BETWEEN)
    const [first] = left
    if (first === undefined) break
    cuts.push(left.reduce((best, place) => (Math.abs(place - wanted) < Math.abs(best - wanted) ? place : best), first))
  }
  return cuts
}
