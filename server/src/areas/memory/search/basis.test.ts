import { expect, test } from 'vitest'
import { type Basis, basisOf, type Learned } from './basis.ts'

const LEARNED: Learned = {
  probability: 0.72,
  baseRate: 0.8,
  said: { nearestWords: -0.9, wordModel: 0.3, nearestVectors: 0.2, vectorModel: 0, author: -0.1, age: 0.004 },
  isOnTopic: true,
  measured: { forecasts: 300, accuracy: 0.8, auc: 0.7, ece: 0.03, brier: 0.2, majority: 0.7 },
  drift: null,
}

/** The probability of an approval that the inputs add up to. */
function addedUp({ inputs }: Basis): number {
  const odds = inputs.reduce((sum, { says, logOdds }) => sum + (says === 'approve' ? logOdds : -logOdds), 0)
  return 1 / (1 + Math.exp(-odds))
}

test('the inputs of a learned forecast, the base rate among them, add up to it', () => {
  const basis = basisOf({ learned: LEARNED, approvals: 8, rejections: 2 }, LEARNED.probability)
  expect(addedUp(basis)).toBeCloseTo(LEARNED.probability, 2)
  expect(basis.inputs[0]).toMatchObject({ input: 'baseRate', says: 'approve' })
  expect(basis.inputs.map(({ input }) => input)).toEqual(expect.arrayContaining(['nearestWords', 'history']))
  expect(basis.inputs.map(({ input }) => input)).not.toContain('vectorModel')
})

test('so do those of the formula', () => {
  const basis = basisOf({ approvals: 3, rejections: 9 }, 0.6)
  expect(addedUp(basis)).toBeCloseTo(0.6, 4)
  expect(basis.inputs.map(({ input, says }) => [input, says])).toEqual([
    ['nearest', 'approve'],
    ['baseRate', 'reject'],
  ])
})
