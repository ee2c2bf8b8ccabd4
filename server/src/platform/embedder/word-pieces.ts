import { ownText } from '../id.ts'
import { plainText } from './plain-text.ts'
import type { WordPieces } from './word-pieces-file.ts'

/** Turns texts into vectors of word pieces. */
export interface PieceModel {
  /** The vector of a text, of length 1. All zeros if the text is not in the model's language. */
  vectorOf(text: string): Float32Array
}

/** Words of letters and digits, each with what follows an apostrophe. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)?/gu
/** A longer word is a key, a hash or encoded data. Its beginning is enough. */
const LONGEST_WORD = 64
/** Of text in other languages, only short parts are known. */
const CHARACTERS_PER_PIECE = 2.5
/** Fewer say nothing of the language. */
const LANGUAGE_PIECES = 6

/**
 * A text is the sum of the vectors of its pieces. A piece counts by its weight, and by one plus the logarithm of how
 * often the text has it. Words are cut into the most probable pieces.
 */
export function pieceModel(pieces: WordPieces): PieceModel {
  const { scales, elements, dimensions } = pieces
  const cutter = new WordCutter(pieces)
  return {
    vectorOf(text) {
      const sum = new Float64Array(dimensions)
      for (const [number, count] of countedPieces(text, cutter)) {
        const weight = (1 + Math.log(count)) * (scales[number] as number)
        const start = number * dimensions
        for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] as number) + weight * (elements[start + i] as number)
      }
      return scaled(sum)
    },
  }
}

/** How often a text has each known piece. None if the text is in another language. */
function countedPieces(text: string, cutter: WordCutter): Map<number, number> {
  const counts = new Map<number, number>()
  let [characters, pieces] = [0, 0]
  for (const match of plainText(text).match(WORD) ?? []) {
    const word = match.slice(0, LONGEST_WORD)
    const found = cutter.piecesOf(word)
    characters += word.length
    pieces += found.length
    for (const number of found) if (number !== UNKNOWN) counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  const isForeign = pieces >= LANGUAGE_PIECES && characters < CHARACTERS_PER_PIECE * pieces
  return isForeign ? new Map() : counts
}

/** Stands for the beginning of a word. */
const START = '▁'
const UNKNOWN = -1
/** Less than the score of any piece: a known piece is always preferred. */
const UNKNOWN_SCORE = -30
const CACHED_WORDS = 50_000

/** Cuts words into pieces, given by their numbers. Remembers the cuts of frequent words. */
class WordCutter {
  readonly #numbers: Map<string, number>
  readonly #scores: Float32Array
  readonly #longest: number
  #cuts = new Map<string, number[]>()

  constructor({ texts, scores }: WordPieces) {
    this.#numbers = new Map(texts.map((text, number) => [text, number]))
    this.#scores = scores
    this.#longest = Math.max(...texts.map((text) => text.length))
  }

  piecesOf(word: string): number[] {
    const known = this.#cuts.get(word)
    if (known) return known
    const found = this.#cut(START + word)
    if (this.#cuts.size >= CACHED_WORDS) this.#cuts = new Map()
    this.#cuts.set(ownText(word), found)
    return found
  }

  /** The cut whose pieces have the greatest sum of scores (Viterbi). */
  #cut(text: string): number[] {
    // By end: the greatest sum, and the last piece and its start.
    const best = new Float64Array(text.length + 1).fill(Number.NEGATIVE_INFINITY)
    const last = new Int32Array(text.length + 1)
    const from = new Int32Array(text.length + 1)
    best[0] = 0
    const offer = (start: number, end: number, number: number, score: number) => {
      const sum = (best[start] as number) + score
      if (sum <= (best[end] as number)) return
      best[end] = sum
      last[end] = number
      from[end] = start
    }
    for (let start = 0; start < text.length; start++) {
      offer(start, start + 1, UNKNOWN, UNKNOWN_SCORE)
      for (let end = start + 1; end <= Math.min(text.length, start + this.#longest); end++) {
        const number = this.#numbers.get(text.slice(start, end))
        if (number !== undefined) offer(start, end, number, this.#scores[number] as number)
      }
    }
    const pieces: number[] = []
    for (let end = text.length; end > 0; end = from[end] as number) pieces.push(last[end] as number)
    return pieces.reverse()
  }
}

function scaled(sum: Float64Array): Float32Array {
  let total = 0
  for (let i = 0; i < sum.length; i++) total += (sum[i] as number) * (sum[i] as number)
  const length = Math.sqrt(total) || 1
  const unit = new Float32Array(sum.length)
  for (let i = 0; i < sum.length; i++) unit[i] = (sum[i] as number) / length
  return unit
}
