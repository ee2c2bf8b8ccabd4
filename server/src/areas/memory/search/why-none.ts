import type { Side } from '../judgment/decision-polarity.ts'
import type { Neighbours } from '../judgment/indexed-judgment.ts'
import type { Learned } from './basis.ts'

interface Lead {
  /** How many judgments were near enough to be weighed. */
  near: number
  leading: Side
  /** How many of them are similar, and decided as the forecast says. */
  supporting: number
}

/** Says in a sentence why evidence supports no suggestion. */
export function whyNone(
  { approvals, rejections, learned }: Omit<Neighbours, 'votes'> & { learned?: Learned | undefined },
  { near, leading, supporting }: Lead,
): string {
  if (approvals + rejections === 0) return 'No suggestion: no judgment in scope has approved or rejected anything yet.'
  if (near === 0)
    return learned?.isOnTopic === false
      ? 'No suggestion: the item is less like what was judged than judged items are like one another. It is probably about something else.'
      : 'No suggestion: no judgment is similar enough to the item.'
  const [noun, verb] = leading === 'approve' ? ['an approval', 'approves'] : ['a rejection', 'rejects']
  const found = supporting === 0 ? 'no judgment' : 'only one judgment'
  return `No suggestion: ${noun} is more likely, but ${found} that is similar enough ${verb}, and it takes two.`
}
