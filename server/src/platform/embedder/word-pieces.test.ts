import { expect, test } from 'vitest'
import { keptBytes } from '../../../test/measuring/kept-bytes.ts'
import { pieceModel } from './word-pieces.ts'
import { type Piece, readWordPieces, wordPiecesFile } from './word-pieces-file.ts'

const piece = (text: string, vector: number[], weight = 1, score = -3): Piece => ({
  text,
  score,
  weight,
  vector: Float64Array.from(vector),
})

const model = (...pieces: Piece[]) => pieceModel(readWordPieces(wordPiecesFile(pieces, 2)))
const rounded = (vector: Float32Array) => Array.from(vector, (value) => Number(value.toFixed(2)))

test('a text is the sum of its pieces, of length 1', () => {
  const { vectorOf } = model(piece('▁car', [3, 0]), piece('▁bread', [0, 4]))
  expect(rounded(vectorOf('Car!'))).toEqual([1, 0])
  expect(rounded(vectorOf('bread, CAR'))).toEqual([0.6, 0.8])
  expect(rounded(vectorOf(''))).toEqual([0, 0])
})

test('a rare piece counts more, and a repeated one by one plus the logarithm of its count', () => {
  const { vectorOf } = model(piece('▁the', [1, 0], 0.1), piece('▁bolt', [0, 1]))
  expect(rounded(vectorOf('the bolt'))).toEqual([0.1, 1])
  const [many = 0, one = 0] = vectorOf('the the the bolt')
  expect(many / one).toBeCloseTo(0.1 * (1 + Math.log(3)), 2)
})

test('a word is cut into the pieces with the greatest sum of scores', () => {
  const { vectorOf } = model(
    piece('▁auto', [1, 0], 1, -2),
    piece('mobile', [1, 0], 1, -2),
    piece('▁automo', [0, 1], 1, -3),
    piece('bile', [0, 1], 1, -3),
  )
  expect(rounded(vectorOf('automobile'))).toEqual([1, 0])
})

test('unknown characters count nothing', () => {
  const { vectorOf } = model(piece('▁car', [1, 0]), piece('s', [0, 1]))
  expect(rounded(vectorOf('car 中文'))).toEqual([1, 0])
  expect(rounded(vectorOf('中文'))).toEqual([0, 0])
})

test('a text that falls into very short pieces is in another language and has no vector', () => {
  const { vectorOf } = model(piece('▁carpet', [1, 0]), ...[...'abcdefgh'].map((letter) => piece(letter, [0, 1])))
  expect(rounded(vectorOf('abcdefgh'))).toEqual([0, 0])
  expect(rounded(vectorOf('carpet carpet carpet carpet carpet abc'))).not.toEqual([0, 0])
})

test('a remembered word keeps nothing of the text that it was read from', () => {
  const { vectorOf } = model(piece('▁the', [1, 0]))
  const text = 'the plan is good '.repeat(6_000)
  const kept = keptBytes(() => {
    for (let i = 0; i < 300; i++) vectorOf(`${text} unheardofword${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`)
  })
  expect(kept).toBeLessThan(10_000_000)
})
