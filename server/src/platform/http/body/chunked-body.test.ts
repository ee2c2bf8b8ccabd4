import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { inPieces } from './chunked-body.ts'

const chunked = (text: string, bytes: number) =>
  Readable.from(text.match(new RegExp(`.{1,${bytes}}`, 'gs'))?.map((chunk) => Buffer.from(chunk)) ?? [])

test.each([1, 7, 1_000, 65_536, 100_000])('chunks of %i bytes become few pieces that say the same', async (bytes) => {
  const text = 'a body of some length. '.repeat(10_000)
  const pieces: Buffer[] = await inPieces(chunked(text, bytes), text.length).toArray()
  expect(pieces.length).toBeLessThan(6)
  expect(Buffer.concat(pieces).toString()).toBe(text)
})

test('others have their turns between chunks', async () => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns += 1
    next = setImmediate(turn)
  })
  await buffer(inPieces(chunked('x'.repeat(1_000), 1), 1_000))
  clearImmediate(next)
  expect(turns).toBeGreaterThan(100)
})

test('a body that is too long is refused, and what follows of it can still be read', async () => {
  const body = new PassThrough()
  body.write('too long')
  await expect(buffer(inPieces(body, 4))).rejects.toMatchObject({
    status: 'INVALID_ARGUMENT',
    httpStatus: 413,
    message: 'The body must have at most 4 bytes.',
  })
  expect(body.destroyed).toBe(false)
  body.end('the rest')
  expect(String(await buffer(body))).toBe('the rest')
})
