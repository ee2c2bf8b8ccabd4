import { commonestStems } from './languages.ts'
import { stemsOf } from './tokenize.ts'

/** What a common stem says of the language it is of: in English texts, and by the other languages that hold it. */
interface Use {
  english: number
  others: readonly [language: string, probability: number][]
}

let uses: ReadonlyMap<string, Use> | undefined

/**
 * Whether a short text may be English: unless its common words, of those that are not common in both, are rather another
 * language's. A text without any may be.
 */
export function mayBeEnglish(text: string): boolean {
  uses ??= usesOf()
  const held = new Map([...new Set(stemsOf(text))].flatMap((stem) => [[stem, uses?.get(stem)] as const]))
  const others = new Map<string, number>()
  let [english, letters] = [0, 0]
  for (const [stem, use] of held) {
    english += use?.english ?? 0
    letters += /^[a-z0-9]+$/.test(stem) ? 0 : 1
    if (use?.english) continue
    for (const [language, probability] of use?.others ?? []) {
      others.set(language, (others.get(language) ?? 0) + probability)
    }
  }
  return english >= Math.max(0, ...others.values()) && letters <= held.size / 2
}

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
