import { isDeepStrictEqual } from 'node:util'
import { SIZE_LIMIT } from '../../../platform/record-size.ts'
import { nullable, REFUSES_NULL, type Static, Type } from '../../../platform/schema.ts'
import { Attachment, withAttachmentIds } from './attachment.ts'
import { type Comment, mentionsOf } from './comment.ts'
import { contentInput, withAccessFields } from './comment-input.ts'
import { type People, Person } from './person.ts'

/** The fields of a comment that an update may change. */
export const UpdatedComment = Type.Object(
  {
    ...contentInput,
    commentHtml: Type.Optional(nullable(contentInput.commentHtml)),
    context: Type.Optional(nullable(contentInput.context)),
    attachments: Type.Optional(
      Type.Array(Attachment, {
        description: 'All of them. What is sent without its id is the same attachment where all else is equal.',
      }),
    ),
    from: Type.Optional(Person),
  },
  { ...REFUSES_NULL, description: `What changes; ${SIZE_LIMIT}, as is each comment afterwards. Null clears a field.` },
)
export type UpdatedComment = Static<typeof UpdatedComment>

/** Applies an update to a comment. Returns undefined if nothing changes. */
export function editComment(old: Comment, data: UpdatedComment, people: People, now: number): Comment | undefined {
  const comment = patchComment(old, data, people)
  if (isDeepStrictEqual(comment, old)) return undefined
  return { ...comment, status: 'updated', isEdited: true, editedAt: now, lastUpdated: Math.max(now, old.createdAt) }
}

function patchComment(old: Comment, data: UpdatedComment, people: People): Comment {
  const { commentText, commentHtml, context, from, taggedUserContacts, attachments } = data
  const text = commentText ?? old.commentText
  const isMentioning = taggedUserContacts !== undefined || commentText !== undefined
  const mentions = {
    taggedUserContacts: taggedUserContacts ?? old.taggedUserContacts.filter(isStillMentionedIn(text)),
    ...(text !== undefined && { commentText: text }),
  }
  // The old HTML would still show the old text.
  const kept = text === old.commentText ? old.commentHtml : undefined
  const html = commentHtml === undefined ? kept : (commentHtml ?? undefined)
  const { commentHtml: _, context: oldContext, ...rest } = old
  const shown = context === undefined ? oldContext : context && withAccessFields(context)
  return {
    ...rest,
    ...(commentText !== undefined && { commentText }),
    ...(html !== undefined && { commentHtml: html }),
    ...(shown && { context: shown }),
    ...(attachments !== undefined && { attachments: withAttachmentIds(attachments, old.attachments) }),
    ...(data.isCommentResolverUsed !== undefined && { isCommentResolverUsed: data.isCommentResolverUsed }),
    isCommentTextAvailable:
      data.isCommentTextAvailable ??
      (old.isCommentTextAvailable || commentText !== undefined || commentHtml !== undefined),
    ...(isMentioning && mentionsOf(mentions, people)),
    ...(from && { from: people.complete(from) }),
  }
}

/** A user mentioned only by `{{userId}}` stops being mentioned when an edit removes the placeholder. */
const isStillMentionedIn =
  (commentText = '') =>
  ({ userId, text }: Comment['taggedUserContacts'][number]): boolean =>
    text !== `{{${userId}}}` || commentText.includes(text)

/** The fields whose total size is limited; each alone is within the limit of a record. */
export const limitedFieldsOfComment = ({ commentText: text, commentHtml: html, context, attachments }: Comment) =>
  [text, html, context, attachments] as const

const CHANGE_FIELDS = ['commentText', 'commentHtml', 'context', 'attachments', 'taggedUserContacts', 'from'] as const

/** The changed fields, by name, each with its old and its new value. */
export const changedFields = (old: Comment, comment: Comment) =>
  Object.fromEntries(
    CHANGE_FIELDS.filter((field) => !isDeepStrictEqual(old[field], comment[field])).map((field) => [
      field,
      { from: old[field] ?? null, to: comment[field] ?? null },
    ]),
  )
