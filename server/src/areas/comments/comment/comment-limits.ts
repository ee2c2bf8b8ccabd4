import { type Issue, invalidField } from '../../../platform/errors.ts'
import { bytesOf, CHANGE_BYTES, CHANGE_BYTES_TEXT, oversized } from '../../../platform/record-size.ts'
import { type CommentInput, placeholders } from './comment-input.ts'

/** The most distinct users that one request may name as `{{userId}}`. */
const MAX_PLACEHOLDERS = 1000

/** A comment as sent, and its path in the request. */
export type CommentAt = [path: string, comment: { [Field in keyof CommentInput]?: CommentInput[Field] | null }]

/** The comments of a list with their paths. */
export const commentsAt = (path: string, comments: readonly CommentInput[]): CommentAt[] =>
  comments.map((comment, index) => [`${path}[${index}]`, comment])

/** Finds comments that are too large, and texts that name too many users. */
export const commentIssues = (sent: CommentAt[]): Issue[] => [
  ...sent.flatMap(([path, comment]) => oversized(path, comment)),
  ...tooManyPlaceholders(sent),
]

function tooManyPlaceholders(sent: CommentAt[]): Issue[] {
  const named = new Set<string>()
  for (const [path, { commentText }] of sent) {
    for (const userId of placeholders(commentText ?? undefined)) {
      named.add(userId)
      if (named.size > MAX_PLACEHOLDERS) {
        const message = `must not name more than ${MAX_PLACEHOLDERS} distinct {{userId}} in one request`
        return [{ path: `${path}.commentText`, message }]
      }
    }
  }
  return []
}

/** Throws INVALID_ARGUMENT if the threads of a request have more comments than a list may have items. */
export function assertCommentLimit(threads: readonly { commentData: unknown[] }[], limit: number): void {
  const count = threads.reduce((sum, { commentData }) => sum + commentData.length, 0)
  if (count > limit) throw invalidField('commentAnnotations', `must have at most ${limit} comments in total`)
}

/** The same change of many comments must not write more than a change may read. */
export function tooManyBytes(commentIds: readonly number[], updatedData: object): Issue[] {
  if (commentIds.length * bytesOf(updatedData) <= CHANGE_BYTES) return []
  return [{ path: 'commentIds', message: `must name comments of at most ${CHANGE_BYTES_TEXT} in all` }]
}

/** An update must hold a field that can be changed. What it does not hold is undefined. */
export function emptyUpdateIssues(updatedData: object | undefined, { properties }: { properties: object }): Issue[] {
  const fields = Object.keys(properties)
  if (!updatedData || fields.some((field) => Object.hasOwn(updatedData, field))) return []
  return [{ path: 'updatedData', message: `must hold at least one of ${fields.join(', ')}` }]
}
