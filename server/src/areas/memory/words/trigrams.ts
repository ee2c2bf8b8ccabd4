/** The character 3-grams of a stem with word boundaries: `cat` has ` ca`, `cat`, `at `. */
export function trigramsOf(stem: string): string[] {
  const text = ` ${stem} `
  const trigrams: string[] = []
  if (SINGLE.test(stem)) {
    for (let i = 0; i + 3 <= text.length; i++) trigrams.push(text.slice(i, i + 3))
    return trigrams
  }
  const characters = [...text]
  for (let i = 0; i + 3 <= characters.length; i++) trigrams.push(characters.slice(i, i + 3).join(''))
  return trigrams
}

/** Each code unit is a character. */
const SINGLE = /^[^\ud800-\udfff]*$/
