import { indexOfStem, type Segment } from './segment.ts'
import { SUBLINEAR } from './sublinear.ts'
import type { QueryTerm } from './text-query.ts'

/** The postings of a term in a segment. */
export interface TermPostings {
  start: number
  end: number
  weight: number
  gain: number
  /** The most that a text of the segment scores by the term, and before division by its norm. */
  most: number
  mostGain: number
}

/** For each of the terms that the segment holds, where it weighs anything. */
export function listsOf({ impacts, postings }: Segment, terms: readonly QueryTerm[]): TermPostings[] {
  const { starts, peaks } = postings
  const lists: TermPostings[] = []
  for (const { stem, weight, gain } of terms) {
    const at = indexOfStem(postings, stem)
    if (at < 0 || !gain) continue
    lists.push({
      start: starts[at] as number,
      end: starts[at + 1] as number,
      weight,
      gain,
      most: gain * (impacts[at] as number),
      mostGain: gain * (SUBLINEAR[peaks[at] as number] as number),
    })
  }
  return lists
}

/** What the terms that are left can do. */
export interface ScoreBounds {
  /** What they add to a text's score at most: no more than each adds to any text, nor than the length of their part of the query. */
  most: number
  /** The same before division by the text's norm: most texts are long, so that it says more of them. */
  mostGain: number
  /** How many postings they have. */
  left: number
}

/** For each term and those after it; after the last one there is nothing left. */
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
