import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function read(...chunks: (string | Uint8Array)[]) {
  const lines: string[] = []
  for await (const line of linesOf(chunksOf(chunks))) lines.push(line)
  return lines
}
async function* chunksOf(chunks: (string | Uint8Array)[]) {
  yield* chunks
}

test('lines come whole, however the stream is cut, the last one with or without an end', async () => {
  expect(await read('a\nb', 'c', '\n\nd')).toEqual(['a', 'bc', '', 'd'])
  expect(await read('a\n')).toEqual(['a'])
  const umlaut = Buffer.from('ü\n')
  expect(await read(umlaut.subarray(0, 1), umlaut.subarray(1))).toEqual(['ü'])
})

test('bytes that are no text are refused', async () => {
  await expect(read(Buffer.from([0xff, 0xfe]))).rejects.toThrow()
})
