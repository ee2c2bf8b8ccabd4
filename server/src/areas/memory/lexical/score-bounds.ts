import { SUBLINEAR } from '../words/sublinear.ts'
import { indexOfStem, peakAt } from './postings.ts'
import type { Segment } from './segment.ts'
import type { QueryTerm } from './text-query.ts'

/** The postings of a term in a segment. */
export interface TermPostings {
  start: number
  end: number
  weight: number
  gain: number
  /** The highest score of a text of the segment by this term, and the same before division by the text's norm. */
  most: number
  mostGain: number
}

/** The postings of the terms that the segment holds and that have a weight. */
export function listsOf(segment: Segment, terms: readonly QueryTerm[]): TermPostings[] {
  const { postings } = segment
  const { starts } = postings
  const lists: TermPostings[] = []
  for (const { stem, weight, gain } of terms) {
    const at = indexOfStem(postings, stem)
    if (at < 0 || !gain) continue
    lists.push({
      start: starts[at] as number,
      end: starts[at + 1] as number,
      weight,
      gain,
      most: gain * segment.impactAt(at),
      mostGain: gain * (SUBLINEAR[peakAt(postings, at)] as number),
    })
  }
  return lists
}

/** Upper bounds for the remaining terms. */
export interface ScoreBounds {
  /**
   * The most that they add to a score: the sum of their own maxima, or the length of their part of the query if that is
   * less.
   */
  most: number
  /** The same before division by the text's norm. Most texts are long, so this bound is often tighter. */
  mostGain: number
  /** The number of their postings. */
  left: number
}

/** The bounds of each term and those after it; the last entry has no terms. */
export function scoreBoundsOf(lists: TermPostings[]): ScoreBounds[] {
  const bounds: ScoreBounds[] = [{ most: 0, mostGain: 0, left: 0 }]
  let [squares, sum, mostGain, left] = [0, 0, 0, 0]
  for (const list of lists.toReversed()) {
    squares += list.weight ** 2
    sum += list.most
    mostGain += list.mostGain
    left += list.end - list.start
    bounds.push({ most: Math.min(Math.sqrt(squares), sum), mostGain, left })
  }
  return bounds.reverse()
}
