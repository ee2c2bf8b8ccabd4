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

// Never cuts a character in half.
const cut = (message: string) =>
  message.length > MAX_MESSAGE ? message.slice(0, MAX_MESSAGE).replace(/[\uD800-\uDBFF]$/, '') : message
