import type { Thread } from '../../../client/src/index.ts'

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }
const REFERENCE = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos|nbsp));/gi

/** The text of a comment; of one that is HTML alone, what is left of that without its tags. */
export const textOf = ({ commentText, commentHtml = '' }: Thread['comments'][number]): string =>
  commentText ||
  commentHtml
    .replace(/<[^<>]*>/g, ' ')
    .replace(REFERENCE, characterOf)
    .trim()

function characterOf(reference: string, hex?: string, decimal?: string, name = ''): string {
  if (name !== '') return NAMED[name.toLowerCase()] ?? reference
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : reference
}
