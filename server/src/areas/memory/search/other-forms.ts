import type { LexicalQuery } from '../judgment/indexed-judgment.ts'
import type { LexicalIndex } from '../lexical/lexical-index.ts'
import { commonProbability } from '../words/languages.ts'

/** What a query asks for by words. */
export interface Wording {
  /** The query, with other forms of its words. */
  query: string
  /** How much each stem of the query tells in the searched field: as much as the commonest of its forms. */
  weights: ReadonlyMap<string, number>
  /**
   * By another form of a stem: the stem of the query. Undefined in English, whose words are compared by their stems.
   */
  forms: ReadonlyMap<string, string> | undefined
}

/** Of so many words, those that tell most, other forms are looked for: each is compared with all words of an index. */
const MOST_WORDS = 8
const MOST_FORMS = 8
/** A word that so many general texts hold is no form of another: *per* is none of *Perù*. */
const COMMON = 0.1
const WORD = /^[\p{L}\p{M}]{3,}$/u
/** Words that are cut by dictionary have no endings. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Words a query with the other forms of its words that the texts of an index hold, where they are not English. */
export function wordingOf(index: LexicalIndex, { field, query }: LexicalQuery): Wording {
  const weights = new Map(index.weights({ field, query }))
  if (index.isEnglish(field)) return { query, weights, forms: undefined }
  const words = [...weights.keys()]
    .filter((stem) => WORD.test(stem) && !UNSPACED.test(stem))
    .sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0))
    .slice(0, MOST_WORDS)
  const counts = new Map<string, number>()
  const forms = new Map<string, string>()
  for (const [form, word] of index.formsOf(words)) {
    const count = counts.get(word) ?? 0
    if (count === MOST_FORMS || weights.has(form) || commonProbability(form) >= COMMON) continue
    counts.set(word, count + 1)
    forms.set(form, word)
  }
  const others = [...forms.keys()].join(' ')
  for (const [form, weight] of index.weights({ field, query: others })) {
    const word = forms.get(form)
    if (word !== undefined) weights.set(word, Math.min(weight, weights.get(word) ?? weight))
  }
  return { query: `${query} ${others}`, weights, forms }
}
