/** The longest message in characters: each placeholder of a long template may stand for a long text. */
export const MAX_MESSAGE = 65_536

/**
 * Replaces each placeholder of the template by its text. The pattern captures the name of a placeholder. The result is
 * cut at `MAX_MESSAGE`.
 */
export function fillIn(template: string, placeholder: RegExp, textFor: (name: string) => string): string {
  let message = ''
  let end = 0
  for (const match of template.matchAll(placeholder)) {
    message += template.slice(end, match.index) + textFor(match[1] ?? '')
    if (message.length >= MAX_MESSAGE) return cut(message)
    end = match.index + match[0].length
  }
  return cut(message + template.slice(end))
}

const cut = (message: string) => startOf(message, MAX_MESSAGE)

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })
/** A longer one, such as a letter with a hundred marks, is cut. */
const LONGEST_CHARACTER = 64

/** The first character of a text, as people see it: a flag, or a letter with its accents. */
export const firstCharacter = (text: string): string =>
  characters.segment(text.slice(0, LONGEST_CHARACTER)).containing(0)?.segment ?? ''

/** Two characters that each stand for themselves: most cuts are between such ones. */
const ASCII = /^[ -~]{2}$/

/**
 * The beginning of a text, of at most `length` UTF-16 units. It ends between two characters as people see them: a flag
 * or a letter with its accents is not cut in half.
 */
export function startOf(text: string, length: number): string {
  if (text.length <= length) return text
  if (ASCII.test(text.slice(length - 1, length + 1))) return text.slice(0, length)
  // Whether a flag begins or ends here is told from where the row of flags begins.
  const start = characters.segment(text.slice(0, length + LONGEST_CHARACTER)).containing(length)?.index ?? 0
  const isLong = start === 0 || length - start > LONGEST_CHARACTER
  return isLong ? text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') : text.slice(0, start)
}
