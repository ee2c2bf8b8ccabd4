import { startOf } from '../../platform/template.ts'
import type { Comment } from '../comments/comment/comment.ts'
import { withNames } from '../comments/comment/comment-input.ts'
import { textOfComment } from '../comments/comment/markup-text.ts'
import type { EmailContent, EmailItem } from './email-item.ts'

const MAX_NAME = 80
const MAX_QUOTE = 1000

/** The subject: what happened, or the number of updates. It is always one line. */
export function subjectOf({ activities, to }: EmailContent): string {
  const [first, ...rest] = activities
  const documents = new Set(activities.map(({ document }) => document.id))
  const where = documents.size === 1 ? ` in ${shortName(first.document.name)}` : ''
  return rest.length === 0 ? `${headline(first, to.userId)}${where}` : `${activities.length} updates${where}`
}

/** Says who did what, from the view of a user. */
export function headline({ kind, details }: EmailItem, userId: string): string {
  const { assignee, status, priority } = details
  const who = shortName(details.actor?.name ?? 'Someone')
  switch (kind) {
    case 'mention':
      return `${who} mentioned you`
    case 'thread':
      return `${who} started a thread`
    case 'reply':
      return `${who} replied`
    case 'assignment':
      return assignee && assignee.userId !== userId
        ? `${who} assigned a thread to ${shortName(assignee.name)}`
        : `${who} assigned a thread to you`
    case 'status':
      return `${who} changed the status to ${shortName(status ?? '')}`
    case 'priority':
      return priority === null ? `${who} removed the priority` : `${who} changed the priority to ${shortName(priority)}`
  }
}

/** The text that an email quotes: that of the comment, or of the first comment of the thread. */
export function quoteOf({ comment, annotation }: EmailItem): string {
  const quoted = comment ?? annotation.comments[0]
  return quoted ? cut(textOf(quoted), MAX_QUOTE) : ''
}

/** The text of a comment, with names for its mentions. */
export function textOf(comment: Comment): string {
  const { taggedUserContacts, to } = comment
  const tagged = taggedUserContacts.map(({ userId, contact: { name } }) => ({ userId, name }))
  return withNames(textOfComment(comment), [...to, ...tagged])
}

/** The URL of the thread on its page; undefined if the caller gave no page. */
export function linkOf({ annotation: { pageInfo, annotationId } }: EmailItem): string | undefined {
  const { url } = (pageInfo ?? {}) as { url?: unknown }
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const address = new URL(url)
  address.searchParams.set('scommentId', annotationId)
  return address.href
}

/**
 * A name shortened to fit into a line, without control characters. Nor does it turn around what follows it:
 * right-to-left letters do not need the characters that do.
 */
export const shortName = (name: string): string =>
  cut(
    name
      .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    MAX_NAME,
  )

function cut(text: string, length: number): string {
  // Only the start of a long text is split into code points.
  const points = [...text.slice(0, 2 * length + 2)]
  if (points.length <= length) return points.join('')
  return `${startOf(text, points.slice(0, length - 1).join('').length)}…`
}
