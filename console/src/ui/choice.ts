/** Something that exists and can be chosen: its id, and what people call it. */
export interface Choice {
  id: string
  name: string
  /** What else tells it from others, such as an address. */
  note?: string | undefined
}

/**
 * What a text names: an id, the name of one choice, or words of the name of one. A part of a word names nothing: an id
 * that does not exist yet may be the beginning of another.
 */
export function idOf(text: string, choices: Choice[]): string {
  if (text === '' || choices.some(({ id }) => id === text)) return text
  const typed = text.toLowerCase()
  const named = choices.filter(({ name }) => name.toLowerCase() === typed)
  const [only, ...others] = named.length > 0 ? named : choices.filter(({ name }) => holds(name, typed))
  return only && others.length === 0 ? only.id : text
}

function holds(name: string, text: string): boolean {
  const [words, wanted] = [wordsOf(name), wordsOf(text)]
  return wanted.length > 0 && wanted.every((word) => words.includes(word))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
