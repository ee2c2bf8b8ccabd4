import { expect, test } from 'vitest'
import { DatabaseError, DatabaseReadOnly, DatabaseUnavailable } from '../../db/db.ts'
import { toApiError } from './to-api-error.ts'

test.each([
  ['53100', 'UNAVAILABLE', 'The disk of the database is full'],
  ['53200', 'UNAVAILABLE', 'lacks memory'],
  ['58030', 'UNAVAILABLE', 'its disk fails'],
  ['40001', 'ABORTED', 'Try again'],
  ['57014', 'DEADLINE_EXCEEDED', 'took too long'],
  ['22012', 'INTERNAL', 'request id'],
])('a statement that fails with %s is %s', (code, status, message) => {
  const error = new DatabaseError('of PostgreSQL, not for callers', code, undefined)
  expect(toApiError(error)).toMatchObject({ status, message: expect.stringContaining(message), cause: error })
})

test('a database that takes no writes is not said to be out of reach', () => {
  expect(toApiError(new DatabaseReadOnly('read-only transaction')).message).toContain('takes no writes')
  expect(toApiError(new DatabaseUnavailable('refused')).message).toContain('cannot be reached')
})
