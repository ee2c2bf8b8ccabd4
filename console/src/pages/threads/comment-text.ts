/** What a text is made of: of a comment, or of one that an activity keeps. */
interface Written {
  commentText?: string
  commentHtml?: string
  to?: { userId: string; name?: string }[]
}

const TITLE_LENGTH = 80

/** The text of a comment, or of its HTML, with the names of the people that it mentions as `{{userId}}`. */
export function textOf({ commentText, commentHtml = '', to = [] }: Written): string {
  const names = new Map(to.map(({ userId, name }) => [userId, name]))
  return (commentText || textOfMarkup(commentHtml)).replace(/\{\{([^{}]+)\}\}/g, (whole, userId) =>
    names.has(userId) ? `@${names.get(userId)}` : whole,
  )
}

/** The text of HTML. What it holds is not run, and nothing is fetched. */
function textOfMarkup(markup: string): string {
  if (markup === '') return ''
  const lines = markup.replace(/<(?:br|\/(?:p|div|li|h\d|tr))\b[^<>]*>/gi, '$&\n')
  return (new DOMParser().parseFromString(lines, 'text/html').body.textContent ?? '').trim()
}

/** The beginning of a text, for a title. */
export const shortened = (text: string, length = TITLE_LENGTH) =>
  text.length > length ? `${beginning(text, length)}…` : text

/** At most `length` UTF-16 units, up to the end of a character as people see it. */
function beginning(text: string, length: number): string {
  const characters = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text.slice(0, 2 * length))
  return text.slice(0, characters.containing(length)?.index)
}

/** The text in the entity of an activity: that of a comment, or of the first comment of a thread; empty for another. */
export function textIn(entity: unknown): string {
  const { comments } = fieldsOf(entity)
  const { commentText, commentHtml, to } = fieldsOf(Array.isArray(comments) ? comments[0] : entity)
  const people = Array.isArray(to) ? to.map(fieldsOf) : []
  return textOf({
    ...(typeof commentText === 'string' && { commentText }),
    ...(typeof commentHtml === 'string' && { commentHtml }),
    to: people.flatMap(({ userId, name }) =>
      typeof userId === 'string' && typeof name === 'string' ? [{ userId, name }] : [],
    ),
  })
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
