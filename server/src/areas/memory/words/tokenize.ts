import { stem } from 'porter2'
import { plainText } from '../../../platform/embedder/plain-text.ts'
import { ownText } from '../../../platform/id.ts'

/**
 * Returns the stems of a text in order: NFKC, lower case, words of letters and digits, English stems. Scripts without
 * spaces are split by dictionary. The result depends only on the text and the version of ICU.
 */
export const stemsOf = (text: string): string[] => firstStems(text, Number.POSITIVE_INFINITY)

/** As many as an English text has of which all is indexed. */
const MOST_INDEXED = 5_000

/** The stems of a text that are indexed: the first 5,000, as some scripts have a word for each character. */
export const indexedStems = (text: string): string[] => firstStems(text, MOST_INDEXED)

let queried: { text: string; stems: readonly string[] } = { text: '', stems: [] }

/** As many stems of a query. A request needs them several times, so the last ones are remembered. */
export function stemsOfQuery(text: string): readonly string[] {
  if (queried.text !== text) queried = { text: ownText(text), stems: indexedStems(text) }
  return queried.stems
}

function firstStems(text: string, most: number): string[] {
  const stems: string[] = []
  const runs = plainText(text).match(RUN) ?? []
  const words = wordsOf(runs.filter((run) => UNSPACED.test(run)))
  for (const run of runs) {
    const known = cachedStem(run)
    if (known !== undefined) stems.push(known)
    else if (!UNSPACED.test(run)) stems.push(stemOf(run))
    else
      for (let word = words.next().value; word && stems.length < most; word = words.next().value)
        stems.push(stemOf(word))
    if (stems.length >= most) break
  }
  return stems
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const ENGLISH = /^[a-z]+$/
// A longer word is a key, a hash or encoded data, and its beginning is enough to tell it apart.
const LONGEST_WORD = 64

// The time of a segmenter grows with the square of the length, and text that people wrote has punctuation before. To
// start it takes longer than to cut a short run, so that short runs are cut together. Each run ends with a line feed.
const PIECE = /[^\n]{500}|.{0,500}\n/gsu

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The words of runs, and an empty one after each run. */
function* wordsOf(runs: string[]): Generator<string, undefined> {
  const lines = runs.map((run) => `${run}\n`).join('')
  for (const [piece] of lines.matchAll(PIECE)) {
    for (const { segment, isWordLike } of segmenter.segment(piece)) {
      if (isWordLike) yield segment
      else if (segment === '\n') yield ''
    }
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
