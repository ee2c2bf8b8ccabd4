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

/** A sentence whose words do not judge by themselves. */
const neutral = (text: string) => ({ stems: stemsOf(text), opinion: 0 })

test('words that one side uses more argue for it', () => {
  const argues = learnArguments(
    [...many('approve', 'The tone fits.'), ...many('reject', 'The tone offends.')],
    numberOf,
  )
  expect(argues(neutral('it offends'), 'reject')).toBeGreaterThan(0)
  expect(argues(neutral('it offends'), 'approve')).toBeLessThan(0)
})

test('a reasoning is no evidence of what its own words argue for', () => {
  const shared = [...many('approve', 'A layout of columns.', 6), ...many('reject', 'A layout of rows.', 6)]
  const argues = learnArguments([...shared, ...many('reject', 'Praise of the typography.', 3)], numberOf)
  expect(argues(neutral('typography'), 'reject')).toBe(0)
})

test('a side with more judgments is not preferred for what neither says', () => {
  const argues = learnArguments([...many('approve', 'Fine.', 10), ...many('reject', 'Off.')], numberOf)
  expect(argues(neutral('nothing of that'), 'approve')).toBe(0)
})

test('few judgments teach nothing; how a sentence judges is known before', () => {
  const argues = learnArguments(many('reject', 'The plan.', 1), numberOf)
  expect(argues(neutral('the plan'), 'reject')).toBe(0)
  expect(argues({ stems: stemsOf('a clear plan'), opinion: 1 }, 'approve')).toBeGreaterThan(0)
  expect(argues({ stems: stemsOf('a clear plan'), opinion: 1 }, 'reject')).toBeLessThan(0)
})

test('a sentence that begins or ends with however turns against its own side', () => {
  expect(turns('However, the budget is missing.')).toBe(true)
  expect(turns('I am not entirely sure, however.')).toBe(true)
  expect(turns('The price is fair, though!')).toBe(true)
  expect(turns('It is fair, however it is read.')).toBe(false)
  expect(turns('Butter is cheap.')).toBe(false)
})
