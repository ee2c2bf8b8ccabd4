import { commonestStems } from './languages.ts'

/** What a common stem says of the language it is of: in English texts, and by the other languages that hold it. */
interface Use {
  english: number
  others: readonly [language: string, probability: number][]
}

let uses: ReadonlyMap<string, Use> | undefined

/**
 * Whether a short text of these stems may be English: unless its common words, of those that are not common in both,
 * are rather another language's, or most of it is in other letters. A text without any common word may be.
 */
export function mayBeEnglish(stems: readonly string[]): boolean {
  uses ??= usesOf()
  const held = new Set(stems)
  const others = new Map<string, number>()
  let [english, foreign, inOtherLetters] = [0, 0, 0]
  for (const stem of held) {
    const use = uses.get(stem)
    if (use?.english) english += use.english
    else if (use) {
      for (const [language, probability] of use.others) {
        const sum = (others.get(language) ?? 0) + probability
        others.set(language, sum)
        if (sum > foreign) foreign = sum
      }
    } else if (!LATIN.test(stem)) inOtherLetters++
  }
  return english >= foreign && inOtherLetters <= held.size / 2
}

const LATIN = /^[a-z0-9]/

function usesOf(): Map<string, Use> {
  const all = new Map<string, Use>()
  for (const [language, stems] of commonestStems()) {
    for (const [stem, probability] of stems) {
      const { english, others } = all.get(stem) ?? { english: 0, others: [] }
      if (language === 'en') all.set(stem, { english: probability, others })
      else all.set(stem, { english, others: [...others, [language, probability]] })
    }
  }
  return all
}
