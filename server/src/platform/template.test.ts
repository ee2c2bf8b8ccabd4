import { expect, test } from 'vitest'
import { fillIn, MAX_MESSAGE } from './template.ts'

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
