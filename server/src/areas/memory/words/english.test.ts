import { expect, test } from 'vitest'
import { mayBeEnglish } from './english.ts'
import { stemsOf } from './tokenize.ts'

test.each([
  'The design is excellent.',
  'No clear plan.',
  'No budget.',
  'A big plus.',
  'Poor quality.',
  'Not good.',
  '',
])('may be English: %s', (text) => {
  expect(mayBeEnglish(stemsOf(text))).toBe(true)
})

test.each([
  'Das Bad ist zu klein.',
  "Le logo n'est plus lisible.",
  'El logo no se ve bien.',
  'Il logo non è più valido.',
  'Бюджет проекта unclear',
  'デザインが bad です',
])('is of another language: %s', (text) => {
  expect(mayBeEnglish(stemsOf(text))).toBe(false)
})
