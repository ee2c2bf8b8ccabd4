/** A message has so many characters at most: each placeholder of a long template may stand for a long text. */
export const MAX_MESSAGE = 65_536

/** The template with a text for each of its placeholders, whose pattern captures what it names; cut at `MAX_MESSAGE`. */
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

// Half a character is none.
const cut = (message: string) =>
  message.length > MAX_MESSAGE ? message.slice(0, MAX_MESSAGE).replace(/[\uD800-\uDBFF]$/, '') : message
