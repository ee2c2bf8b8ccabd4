import { expect, test } from 'vitest'
import { shortened, textIn } from './comment-text.ts'

const COMMENT = { commentText: 'Fine, {{bo}} and {{cyd}}.', to: [{ userId: 'bo', name: 'Bo Chen' }] }

test('the text of an activity is that of its comment, or of the first comment of its thread, with names', () => {
  expect(textIn(COMMENT)).toBe('Fine, @Bo Chen and {{cyd}}.')
  expect(textIn({ annotationId: 't', comments: [COMMENT, { commentText: 'Later.' }] })).toBe(
    'Fine, @Bo Chen and {{cyd}}.',
  )
})

test.each([undefined, null, 'text', 7, [], {}, { comments: [] }, { commentText: 7 }, { comments: 'none' }])(
  'data of another shape has no text: %j',
  (entity) => expect(textIn(entity)).toBe(''),
)

test('people of another shape are not named', () => {
  expect(textIn({ commentText: 'Hello {{bo}}', to: 'bo' })).toBe('Hello {{bo}}')
  expect(textIn({ commentText: 'Hello {{bo}}', to: [null, { userId: 'bo' }] })).toBe('Hello {{bo}}')
})

test('a long text is shortened for a title', () => {
  expect(shortened('Hello')).toBe('Hello')
  expect(shortened('Hello', 4)).toBe('Hell…')
  expect(shortened('Hell🦉o', 5)).toBe('Hell…')
  expect(shortened('a🇩🇪🇫🇷', 6)).toBe('a🇩🇪…')
})
