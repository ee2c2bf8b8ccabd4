const CHARACTERS = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
])

/** The text of HTML, in linear time for any markup; docs/decisions/dependencies.md says why no library does this. */
export const textOfMarkup = (markup: string) =>
  markup
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:lt|gt|amp|quot|#39|nbsp);/g, (entity) => CHARACTERS.get(entity) ?? entity)
    .replace(/[ \t]{2,}/g, ' ')
    .trim()
