import { expect, test } from 'vitest'
import { refusalOf } from '../../client/src/errors.ts'
import { explain } from './failure.ts'

test.each([404, 413, 503])('a page of a proxy with HTTP %i is told apart from the server', (status) => {
  const { message, next } = explain(refusalOf(new Response('<html>', { status }), undefined))
  expect(message).toContain(`HTTP ${status}`)
  expect(next).toMatch(/^Something else answered, such as a proxy/)
})
