import type { Side } from '../judgment/decision-polarity.ts'
import { mayBeEnglish } from '../words/english.ts'
import { stemsOf } from '../words/tokenize.ts'
import type { Sentence } from './sentences.ts'

/** The distinct stems of a reasoning, by number, and the side that it was given for. */
export interface Argument {
  stems: ArrayLike<number>
  side: Side
}

/** How far a sentence of an example of a side argues for that side: above 0 for it, below 0 for the other. */
export type ArguesFor = (sentence: Pick<Sentence, 'stems' | 'opinion'>, side: Argument['side']) => number

/**
 * Learns from reasonings which words argue for which side: of each stem, how much more of the approvals than of the
 * rejections use it (naive Bayes). The reasoning that the sentence stands in is left out: else its own words would
 * argue for it. How the sentence judges is known without learning, by its words. The value is the sum of both by the
 * root of the number of stems. `numberOf`: the number of a stem; undefined if it has none.
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
  const isTaught = Math.min(totals.approve, totals.reject) >= FEWEST
  /** What was learned of the stems of earlier sentences, by the side that they were given for. */
  const known = { approve: new Map<string, number>(), reject: new Map<string, number>() }
  function learned(stem: string, side: Argument['side']): number {
    const value = known[side].get(stem) ?? learn(stem, side)
    known[side].set(stem, value)
    return value
  }
  function learn(stem: string, side: Argument['side']): number {
    const other = side === 'approve' ? 'reject' : 'approve'
    const number = numberOf(stem) ?? NO_STEM
    const [own, others] = [(counts[side].get(number) ?? 1) - 1, counts[other].get(number) ?? 0]
    if (own + others < FEWEST_USES) return 0
    const [ofSide, ofOther] = [totals[side] - 1, totals[other]]
    const drawn = (DRAWN * (own + others)) / (ofSide + ofOther)
    return Math.log((own + drawn) / (ofSide + DRAWN)) - Math.log((others + drawn) / (ofOther + DRAWN))
  }
  return ({ stems, opinion }, side) => {
    const distinct = [...new Set(stems)]
    const sum = isTaught ? distinct.reduce((total, stem) => total + learned(stem, side), 0) : 0
    return (sum + (side === 'approve' ? OPINION : -OPINION) * opinion) / Math.sqrt(distinct.length || 1)
  }
}

const NO_STEM = -1
/** Fewer reasonings of a side teach nothing, and a word in fewer others tells nothing. */
const FEWEST = 5
const FEWEST_USES = 3
/** How many reasonings the share of both sides together counts as. */
const DRAWN = 10
/** How much a known word of praise or blame counts. */
const OPINION = 2

/** English words by which a sentence turns against what was said before, at its beginning or its end. */
const TURNS =
  /^(but|however|although|though|unfortunately|nevertheless|nonetheless|still|yet|on the other hand|that said)\b|, (however|though)\W*$/i

/** Whether a sentence turns against its own side, such as one that begins or ends with *however*. */
export const turns = (sentence: string): boolean => TURNS.test(sentence) && mayBeEnglish(stemsOf(sentence))
