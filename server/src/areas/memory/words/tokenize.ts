import { stem } from 'porter2'
import { ownText } from '../../../platform/id.ts'

/**
 * Returns the stems of a text in order: NFKC, lower case, words of letters and digits, English stems. Scripts without
 * spaces are split by dictionary. The result depends only on the text and the version of ICU.
 */
export function stemsOf(text: string): string[] {
  const stems: string[] = []
  for (const run of text.normalize('NFKC').toLowerCase().match(RUN) ?? []) {
    const known = cachedStem(run)
    if (known !== undefined) stems.push(known)
    else if (UNSPACED.test(run)) for (const word of cut(run)) stems.push(stemOf(word))
    else stems.push(stemOf(run))
  }
  return stems
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const ENGLISH = /^[a-z]+$/
// A longer word is a key, a hash or encoded data, and its beginning is enough to tell it apart.
const LONGEST_WORD = 64

// The time of a segmenter grows with the square of the length, and text that people wrote has punctuation before.
const PIECE = /.{1,500}/gsu

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

function* cut(run: string): Generator<string> {
  for (const piece of run.match(PIECE) ?? []) {
    for (const { segment, isWordLike } of segmenter.segment(piece)) if (isWordLike) yield segment
  }
}

/** A cache of English stems in two generations. When the recent one is full, it replaces the older one. */
let recent = new Map<string, string>()
let older = new Map<string, string>()
const CACHED_WORDS = 200_000

const cachedStem = (word: string) => recent.get(word) ?? older.get(word)

function cacheStem(word: string, stemmed: string): void {
  if (recent.size >= CACHED_WORDS) {
    older = recent
    recent = new Map()
  }
  recent.set(word, stemmed)
}

function stemOf(word: string): string {
  const short = word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word
  if (!ENGLISH.test(short)) return short
  const known = cachedStem(short)
  if (known !== undefined) return known
  const own = ownText(short)
  const stemmed = stem(own)
  cacheStem(own, stemmed)
  return stemmed
}
