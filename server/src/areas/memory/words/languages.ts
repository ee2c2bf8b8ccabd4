import { FUNCTION_WORDS } from './function-words.ts'
import { PRIOR_FREQUENCY_TABLE } from './prior-frequency-table.ts'

/** A language whose commonest words are known. */
export type Language = 'en' | keyof typeof FUNCTION_WORDS

/** In these, a word has many endings. Only English ones are taken off. */
const INFLECTED: ReadonlySet<Language> = new Set(['cs', 'fi', 'hu', 'pl', 'ru', 'sl', 'tr', 'uk'])

/**
 * How much more what two texts of a language share counts than between English ones: only English words are stemmed, so
 * that texts on one topic share fewer words in other languages. (Chosen on Czech, Italian, Polish, Russian and Spanish,
 * and on enciphered English.)
 */
export function likenessIn(language: Language): number {
  if (language === 'en') return 1
  return INFLECTED.has(language) ? 1.4 : 1.15
}

/** By stem: the probability that a text of a judgment's length holds it. */
type Probabilities = ReadonlyMap<string, number>

/** As many stems of English as the other languages have tell that texts are English. */
const COMMONEST = 300

let languages: ReadonlyMap<Language, Probabilities> | undefined
let highest: Probabilities | undefined

/** The commonest stems of each language. They are read when they are first needed, which takes some milliseconds. */
export function commonestStems(): ReadonlyMap<Language, Probabilities> {
  const others = () => Object.entries(FUNCTION_WORDS).map(([language, table]) => [language, read(table)] as const)
  languages ??= new Map([['en', read(PRIOR_FREQUENCY_TABLE)], ...others()] as [Language, Probabilities][])
  return languages
}

/** The first stems of a table: lines of `level:stem stem …`, the commonest first. */
function read(table: string): Probabilities {
  const stems = new Map<string, number>()
  for (const line of table.split('\n')) {
    const [level = '', ofLevel = ''] = line.split(':')
    for (const stem of ofLevel.split(' ')) {
      if (stems.size === COMMONEST) return stems
      stems.set(stem, Math.exp(-Number(level) / 20))
    }
  }
  return stems
}

/** The highest probability of a stem in any language; 0 if it is among the commonest of none. */
export function commonProbability(stem: string): number {
  highest ??= highestOf([...commonestStems().values()])
  return highest.get(stem) ?? 0
}

function highestOf(tables: Probabilities[]): Probabilities {
  const all = new Map<string, number>()
  for (const [stem, probability] of tables.flatMap((table) => [...table])) {
    all.set(stem, Math.max(probability, all.get(stem) ?? 0))
  }
  return all
}

/** What is found of a language's commonest stems must be more than this: hardly one in ten texts holds any. */
const LEAST = 0.1

/** A few words decide nothing against English, which all texts were taken for. */
const RATHER_ENGLISH = 1.25

/**
 * The language that texts are in, as far as its commonest words tell. `shareOf`: the share of the texts that hold a
 * stem. It is the language of whose commonest stems they hold most. These count by the root of their probability,
 * beside the length of all of them as a vector: else the languages with one word in every text, such as *a*, would have
 * all short texts. English if few hold any.
 */
export function languageOf(shareOf: (stem: string) => number): Language {
  let found: Language = 'en'
  let most = LEAST
  for (const [language, stems] of commonestStems()) {
    let [held, squares] = [0, 0]
    for (const [stem, probability] of stems) {
      held += Math.sqrt(probability) * shareOf(stem)
      squares += probability * probability
    }
    const value = ((language === 'en' ? RATHER_ENGLISH : 1) * held) / Math.sqrt(squares)
    if (value > most) {
      found = language
      most = value
    }
  }
  return found
}
