import { expect, test } from 'vitest'
import { DatabaseError } from '../db/db.ts'
import { toApiError } from './to-api-error.ts'

test('a full disk of the database is UNAVAILABLE, so that clients try again', () => {
  const cause = new DatabaseError('could not extend file "base/5/17582": No space left on device', '53100', undefined)
  const error = toApiError(cause)
  expect([error.status, error.message]).toEqual([
    'UNAVAILABLE',
    'The disk of the database is full; nothing was changed.',
  ])
  expect(error.cause).toBe(cause)
})
