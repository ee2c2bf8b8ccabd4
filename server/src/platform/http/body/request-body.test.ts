import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bodyText } from './request-body.ts'

const json = { 'content-type': 'application/json' }

test('a compressed body is refused for that, with 415', () => {
  const body = gzipSync('{"data":{}}')
  expect(() => bodyText({ headers: { ...json, 'content-encoding': 'gzip' }, body }, 100)).toThrow(
    expect.objectContaining({
      httpStatus: 415,
      message: 'The body must not be compressed: send it without Content-Encoding.',
    }),
  )
  expect(() => bodyText({ headers: json, body }, 100)).toThrow('The body is not valid UTF-8')
})
