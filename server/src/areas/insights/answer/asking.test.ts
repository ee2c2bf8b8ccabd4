import { expect, test } from 'vitest'
import { asks } from './asking.ts'

test.each([
  ['reject', true, true],
  ['lehnen', false, true],
  ['hat', false, true],
  ['отклоняют', false, true],
  ['madera', false, false],
  ['budget', false, false],
])('one asks by %s of English judgments: %s, of others: %s', (stem, ofEnglish, ofOthers) => {
  expect([asks(stem, true), asks(stem, false)]).toEqual([ofEnglish, ofOthers])
})
