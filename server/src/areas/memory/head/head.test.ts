import { expect, test } from 'vitest'
import { ageInput } from './head.ts'

test('recent judgments speak for what they decided, and say nothing where there are none', () => {
  expect(ageInput({ approvals: 30, rejections: 10 }, 0.5)).toBeGreaterThan(0.5)
  expect(ageInput({ approvals: 10, rejections: 30 }, 0.5)).toBeLessThan(-0.5)
  // After years, the counts have decayed to next to nothing.
  expect(ageInput({ approvals: 1e-6, rejections: 0 }, 0.8)).toBeCloseTo(0, 5)
})
