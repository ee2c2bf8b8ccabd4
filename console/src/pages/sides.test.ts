import { expect, test } from 'vitest'
import {
  APPROVING_DECISIONS,
  decisionPolarity,
  REJECTING_DECISIONS,
} from '../../../server/src/areas/memory/judgment/decision-polarity.ts'
import { sideOf } from './sides.ts'

test.each([...APPROVING_DECISIONS, ...REJECTING_DECISIONS, 'approved', 'rejected', ' Approve ', 'comment', ''])(
  '%j takes the side that the service says',
  (decision) => {
    expect(sideOf({ decision })).toBe(decisionPolarity(decision) ?? 'neither')
  },
)
