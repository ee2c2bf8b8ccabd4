import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('one thing has the word for one, and none and several have the other', () => {
  const words = [0, 1, '1', '11', '1,001'].map((count) => counted(count, 'task', 'tasks'))
  expect(words).toEqual(['0 tasks', '1 task', '1 task', '11 tasks', '1,001 tasks'])
})
