import { stemsOf } from '../words/tokenize.ts'

/** The distinct stems of a reasoning, by number, and the side that it was given for. */
export interface Argument {
  stems: ArrayLike<number>
  side: 'approve' | 'reject'
}

/** How far a text argues for a side: above 0 for it, below 0 for the other. */
export type ArguesFor = (stems: readonly string[], side: Argument['side']) => number

/**
 * Learns from reasonings which words argue for which side: of each stem, how much more of the approvals than of the
 * rejections use it (naive Bayes). Some English words are known before. A text's value is the sum over its stems by the
 * root of their number. `numberOf`: the number of a stem; undefined if it has none.
 */
export function learnArguments(
  examples: readonly Argument[],
  numberOf: (stem: string) => number | undefined,
): ArguesFor {
  const counts = { approve: new Map<number, number>(), reject: new Map<number, number>() }
  const totals = { approve: 0, reject: 0 }
  for (const { stems, side } of examples) {
    totals[side]++
    const ofSide = counts[side]
    for (let i = 0; i < stems.length; i++) ofSide.set(stems[i] as number, (ofSide.get(stems[i] as number) ?? 0) + 1)
  }
  function forApproval(stem: string): number {
    const number = numberOf(stem) ?? NO_STEM
    const [approve, reject] = [counts.approve.get(number) ?? 0, counts.reject.get(number) ?? 0]
    if (approve + reject < 2) return 0
    const drawn = (DRAWN * (approve + reject)) / (totals.approve + totals.reject)
    return Math.log((approve + drawn) / (totals.approve + DRAWN)) - Math.log((reject + drawn) / (totals.reject + DRAWN))
  }
  return (stems, side) => {
    const isTaught = Math.min(totals.approve, totals.reject) >= FEWEST
    const distinct = [...new Set(stems)]
    const sum = distinct.reduce((total, stem) => total + known(stem) + (isTaught ? forApproval(stem) : 0), 0)
    return ((side === 'approve' ? 1 : -1) * sum) / Math.sqrt(distinct.length || 1)
  }
}

const NO_STEM = -1
/** Fewer reasonings of a side teach nothing. */
const FEWEST = 5
/** How many reasonings the share of both sides together counts as. */
const DRAWN = 2

const stemSet = (words: string) => new Set(stemsOf(words))
const PRAISE = stemSet(
  'good great excellent clear clearly detailed sufficient adequate reasonable strong benefit valuable useful agree well',
)
const BLAME = stemSet(
  'not no lack lacking missing vague unclear insufficient without fail poor doubt concern risk incomplete cannot harmful',
)

const known = (stem: string) => (PRAISE.has(stem) ? 1 : 0) - (BLAME.has(stem) ? 1 : 0)

/** Words by which a sentence turns against what was said before. */
const TURNS =
  /^(but|however|although|though|unfortunately|nevertheless|nonetheless|still|yet|on the other hand|that said)\b/i

/** Whether a sentence turns against its own side, such as one that begins with *however*. */
export const turns = (sentence: string): boolean => TURNS.test(sentence)
