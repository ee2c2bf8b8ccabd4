import { expect, test } from 'vitest'
import { stemsOf } from '../words/tokenize.ts'
import { Vocabulary } from '../words/vocabulary.ts'
import { type Argument, learnArguments, turns } from './arguments.ts'

const vocabulary = new Vocabulary()
const numberOf = (stem: string) => vocabulary.find(stem)

function many(side: Argument['side'], text: string, length = 5): Argument[] {
  const stems = Array.from(new Set(stemsOf(text)), (stem) => vocabulary.idOf(stem))
  return Array.from({ length }, () => ({ side, stems }))
}

test('words that one side uses more argue for it', () => {
  const argues = learnArguments(
    [...many('approve', 'The tone fits.'), ...many('reject', 'The tone offends.')],
    numberOf,
  )
  expect(argues(stemsOf('it offends'), 'reject')).toBeGreaterThan(0)
  expect(argues(stemsOf('it offends'), 'approve')).toBeLessThan(0)
  expect(argues(stemsOf('the tone'), 'approve')).toBeCloseTo(0, 9)
})

test('a side with more judgments is not preferred for what neither says', () => {
  const argues = learnArguments([...many('approve', 'Fine.', 10), ...many('reject', 'Off.')], numberOf)
  expect(argues(stemsOf('nothing of that'), 'approve')).toBe(0)
})

test('few judgments teach nothing; words of praise and of blame are known before', () => {
  const argues = learnArguments(many('reject', 'The plan.', 1), numberOf)
  expect(argues(stemsOf('the plan'), 'reject')).toBeCloseTo(0, 9)
  expect(argues(stemsOf('a clear plan'), 'approve')).toBeGreaterThan(0)
  expect(argues(stemsOf('no plan'), 'approve')).toBeLessThan(0)
})

test('a sentence that begins with however turns against its own side', () => {
  expect(turns('However, the budget is missing.')).toBe(true)
  expect(turns('Butter is cheap.')).toBe(false)
})
