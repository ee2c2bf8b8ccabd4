const WORDS = /[\p{L}\p{N}\p{M}]+/gu
const SHORTEST = 3
/** Scripts without blanks, whose words are often of two characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const SHORTEST_UNSPACED = 2
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** A word of a text, and where it begins. */
interface Word {
  at: number
  word: string
}

/** The words of a question by what a text may share with it. */
export const askedWords = (question: string): ReadonlySet<string> =>
  new Set(wordsOf(question).map(({ word }) => stemOf(word)))

/** The words of a text that were asked for, in its order. Those of scripts without blanks are cut by a dictionary. */
export const sharedWords = (text: string, asked: ReadonlySet<string>): Word[] =>
  wordsOf(text).filter(({ word }) => asked.has(stemOf(word)))

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORDS)].flatMap(({ 0: run, index }) => {
    if (!UNSPACED.test(run)) return run.length < SHORTEST ? [] : [{ at: index, word: run }]
    const words = Array.from(segmenter.segment(run), ({ segment, index: within }) => ({
      at: index + within,
      word: segment,
    }))
    return words.filter(({ word }) => word.length >= SHORTEST_UNSPACED)
  })
}

/** What remains of an English word without its usual endings, so that “refunds” and “refunded” are marked alike. */
const stemOf = (word: string) =>
  word
    .normalize()
    .toLowerCase()
    .replace(/(ing|ed|es|s)$/u, '')
