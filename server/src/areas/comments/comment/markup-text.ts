const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

interface Worded {
  commentText?: string | null
  commentHtml?: string | null
}

/** The text of a comment; without one, that of its HTML. */
export const textOfComment = ({ commentText, commentHtml }: Worded): string =>
  commentText || textOfMarkup(commentHtml ?? '')

/** The text of HTML, in linear time for any markup; docs/decisions/dependencies.md says why no library does this. */
export const textOfMarkup = (markup: string) =>
  markup
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos|nbsp));/gi, characterOf)
    .replace(/[ \t]{2,}/g, ' ')
    .trim()

/** The character that a reference stands for; the reference itself where no text can hold that. */
function characterOf(reference: string, hex?: string, decimal?: string, name = ''): string {
  if (name !== '') return NAMED[name.toLowerCase()] ?? reference
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : reference
}
