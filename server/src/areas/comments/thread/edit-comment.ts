import { isDeepStrictEqual } from 'node:util'
import { SIZE_LIMIT } from '../../../platform/record-size.ts'
import { type Static, Type } from '../../../platform/schema.ts'
import { Attachment, withAttachmentIds } from './attachment.ts'
import { type Comment, mentionsOf } from './comment.ts'
import { contentInput, withAccessFields } from './comment-input.ts'
import { type People, Person } from './person.ts'

/** What an update may change of a comment. */
export const UpdatedComment = Type.Object(
  {
    ...contentInput,
    attachments: Type.Optional(
      Type.Array(Attachment, {
        description: 'All of them. What is sent without its id is the same attachment where all else is equal.',
      }),
    ),
    from: Type.Optional(Person),
  },
  { description: `What changes; ${SIZE_LIMIT}, as is each comment afterwards.` },
)
export type UpdatedComment = Static<typeof UpdatedComment>

/** The comment after an update; undefined when the update leaves it as it was. */
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
  // The old HTML shows the old text.
  const html = commentHtml ?? (text === old.commentText ? old.commentHtml : undefined)
  const { commentHtml: _, ...rest } = old
  return {
    ...rest,
    ...(commentText !== undefined && { commentText }),
    ...(html !== undefined && { commentHtml: html }),
    ...(context !== undefined && { context: withAccessFields(context) }),
    ...(attachments !== undefined && { attachments: withAttachmentIds(attachments, old.attachments) }),
    ...(data.isCommentResolverUsed !== undefined && { isCommentResolverUsed: data.isCommentResolverUsed }),
    isCommentTextAvailable:
      data.isCommentTextAvailable ??
      (old.isCommentTextAvailable || commentText !== undefined || commentHtml !== undefined),
    ...(isMentioning && mentionsOf(mentions, people)),
    ...(from && { from: people.complete(from) }),
  }
}

/** Whoever was mentioned by the text alone, as `{{userId}}`, is mentioned no longer where the text says so no longer. */
const isStillMentionedIn =
  (commentText = '') =>
  ({ userId, text }: Comment['taggedUserContacts'][number]): boolean =>
    text !== `{{${userId}}}` || commentText.includes(text)

/** What an update adds to: each of its fields is within the limit, and so must they be together. */
export const limitedFields = ({ commentText: text, commentHtml: html, context, attachments }: Comment) =>
  [text, html, context, attachments] as const

const CHANGE_FIELDS = ['commentText', 'commentHtml', 'context', 'attachments', 'taggedUserContacts', 'from'] as const

/** What an edit changed, by the name of the field. */
export const changedFields = (old: Comment, comment: Comment) =>
  Object.fromEntries(
    CHANGE_FIELDS.filter((field) => !isDeepStrictEqual(old[field], comment[field])).map((field) => [
      field,
      { from: old[field] ?? null, to: comment[field] ?? null },
    ]),
  )
