import { expect, test } from 'vitest'
import { fillIn, firstCharacter, MAX_MESSAGE, startOf } from './template.ts'

const PLACEHOLDER = /<(.)>/g

test('each placeholder becomes the text for what it names', () => {
  expect(fillIn('a <b>, c <d>.', PLACEHOLDER, (name) => name.toUpperCase())).toBe('a B, c D.')
  expect(fillIn('', PLACEHOLDER, () => 'x')).toBe('')
})

test('a message that would be longer is cut', () => {
  const message = fillIn('<a>'.repeat(30_000), PLACEHOLDER, () => 'x'.repeat(30_000))
  expect(message).toBe('x'.repeat(MAX_MESSAGE))
  expect(fillIn('y'.repeat(100_000), PLACEHOLDER, () => '')).toBe('y'.repeat(MAX_MESSAGE))
  expect(fillIn('<a>', PLACEHOLDER, () => 'z'.repeat(MAX_MESSAGE))).toHaveLength(MAX_MESSAGE)
})

test('no character is cut in half', () => {
  expect(fillIn('<a>', PLACEHOLDER, () => `${'x'.repeat(MAX_MESSAGE - 1)}🦉`)).toBe('x'.repeat(MAX_MESSAGE - 1))
})

test.each([
  ['abcd', 3, 'abc'],
  ['ab🦉', 3, 'ab'],
  ['abe\u0301', 3, 'ab'],
  ['a🇩🇪🇫🇷', 5, 'a🇩🇪'],
  ['a🇩🇪🇫🇷', 6, 'a🇩🇪'],
  ['🇩🇪'.repeat(50), 158, '🇩🇪'.repeat(39)],
  ['a👩‍👩‍👧b', 5, 'a'],
  ['ไทยที่', 5, 'ไทย'],
  ['abc', 3, 'abc'],
  ['🦉🦉', 1, ''],
])('%s is cut at %i between characters: %s', (text, length, start) => {
  expect(startOf(text, length)).toBe(start)
})

test('a letter with very many marks is cut', () => {
  expect(startOf(`a${'\u0301'.repeat(500)}`, 200)).toHaveLength(200)
  expect(startOf(`xya${'\u0301'.repeat(500)}`, 200)).toHaveLength(200)
})

test.each([
  ['Ada', 'A'],
  ['E\u0301ric', 'E\u0301'],
  ['🇩🇪 Team', '🇩🇪'],
  ['', ''],
])('the first character of %s is %s', (text, first) => {
  expect(firstCharacter(text)).toBe(first)
})
