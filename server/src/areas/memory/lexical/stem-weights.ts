import { SUBLINEAR } from '../words/sublinear.ts'
import { withRoom } from '../words/with-room.ts'
import type { FieldTexts } from './field-texts.ts'
import type { Segment } from './segment.ts'

/** Weights of a few stems. `any` rules out most other stems without a look at `byStem`. */
export interface StemWeights {
  /** By the low bits of a stem: 0 if no stem with these bits has a weight. */
  readonly any: Uint8Array
  readonly byStem: Float64Array
}

/** So few bits that `any` fits the processor's first-level cache. */
export const LOW_BITS = 4095
/** All 0 between calls: allocating an array as long as the vocabulary for every query would be slow. */
const any = new Uint8Array(LOW_BITS + 1)
let byStem = new Float64Array(0)

/** Runs `work` with such weights. Calls must not be nested. */
export function withWeights<Result>(
  { vocabulary }: FieldTexts,
  weights: readonly (readonly [number, number])[],
  work: (weights: StemWeights) => Result,
): Result {
  byStem = withRoom(byStem, vocabulary.size)
  for (const [stem, weight] of weights) {
    any[stem & LOW_BITS] = 1
    byStem[stem] = weight
  }
  try {
    return work({ any, byStem })
  } finally {
    for (const [stem] of weights) {
      any[stem & LOW_BITS] = 0
      byStem[stem] = 0
    }
  }
}

/** The sum over the stems of the text at a place: weight times sublinear frequency. */
export function weightedSum({ starts, entries }: Segment, place: number, { any, byStem }: StemWeights): number {
  const end = starts[place + 1] as number
  let sum = 0
  for (let e = starts[place] as number; e < end; e++) {
    const entry = entries[e] as number
    if (any[(entry >>> 8) & LOW_BITS]) sum += (byStem[entry >>> 8] as number) * (SUBLINEAR[entry & 255] as number)
  }
  return sum
}
