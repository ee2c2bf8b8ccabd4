import { expect, test } from 'vitest'
import { readWordPieces, wordPiecesFile } from './word-pieces-file.ts'

const PIECES = [
  { text: '▁car', score: -3.5, weight: 1, vector: Float64Array.of(1, 0, -0.5) },
  { text: 's', score: -2, weight: 0.5, vector: Float64Array.of(0, 4, 0) },
]

test('a file gives the pieces that it was made from, with elements rounded to eight bits', () => {
  const { texts, scores, scales, elements, dimensions } = readWordPieces(wordPiecesFile(PIECES, 3))
  expect(texts).toEqual(['▁car', 's'])
  expect([...scores]).toEqual([-3.5, -2])
  expect(dimensions).toBe(3)
  const vectors = [0, 1].map((piece) => [0, 1, 2].map((i) => (scales[piece] ?? 0) * (elements[3 * piece + i] ?? 0)))
  expect(vectors.flat().map((value) => Number(value.toFixed(2)))).toEqual([1, 0, -0.5, 0, 2, 0])
})

test('another file and a part of a file are refused', () => {
  const file = wordPiecesFile(PIECES, 3)
  expect(() => readWordPieces(file.subarray(0, -1))).toThrow(/not whole/)
  expect(() => readWordPieces(file.subarray(0, 8))).toThrow(/no file of word pieces/)
  expect(() => readWordPieces(Buffer.from('version https://git-lfs.github.com/spec/v1'))).toThrow(/no file/)
})
