import { expect, test } from 'vitest'
import { ApiError } from './errors.ts'

test('a message that names a very long id is cut', () => {
  const { message } = new ApiError('NOT_FOUND', `There is no webhook delivery ${'x'.repeat(70_000)}.`)
  expect(message).toHaveLength(2_000)
  expect(message).toMatch(/^There is no webhook delivery x+…$/)
})
