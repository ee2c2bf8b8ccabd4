import { randomInt } from 'node:crypto'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { json, sql, type Transaction } from '../../../platform/db/db.ts'
import { anyObject, oneOf, type Static, Type } from '../../../platform/schema.ts'
import { User } from '../../users/user.ts'
import { StoredAttachment, withAttachmentIds } from './attachment.ts'
import { Agent, type CommentInput, placeholders, withAccessFields } from './comment-input.ts'
import type { People } from './person.ts'

const recordFields = {
  type: oneOf(['text', 'voice'], 'How it was said.'),
  status: oneOf(['added', 'updated'], 'Whether it was changed since.'),
  from: User,
  commentText: Type.Optional(Type.String()),
  commentHtml: Type.Optional(Type.String()),
  commentVoiceUrl: Type.Optional(Type.String()),
  context: Type.Optional(anyObject('Data of the caller.')),
  isCommentResolverUsed: Type.Optional(Type.Boolean()),
  isCommentTextAvailable: Type.Boolean(),
  isEdited: Type.Optional(Type.Boolean()),
  editedAt: Type.Optional(Type.Integer()),
  attachments: Type.Array(StoredAttachment),
  recorders: Type.Array(anyObject('A recording in the comment.')),
  customList: Type.Array(anyObject('An item of a list of the caller.')),
  taggedUserContacts: Type.Array(
    Type.Object({ userId: Type.String(), text: Type.Optional(Type.String()), contact: User }),
  ),
  to: Type.Array(User, { description: 'The mentioned users.' }),
  toOrganizationUserGroup: Type.Array(anyObject('A mentioned user group.')),
  agent: Type.Optional(Agent),
}
const CommentRecord = Type.Object(recordFields)

/** The stored part of a comment, without its id and times. */
export type CommentRecord = Static<typeof CommentRecord>

/** A comment as returned and as events carry it. */
export const Comment = Type.Object({
  commentId: Type.Integer(),
  ...recordFields,
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  lastUpdated: Type.Integer({ description: 'Epoch milliseconds.' }),
  reactionAnnotationIds: Type.Array(Type.String(), { description: 'Ids of the reactions to it.' }),
})
export type Comment = Static<typeof Comment>

/** Makes the record of a new comment. */
export function newComment(input: CommentInput, people: People): CommentRecord {
  const { from, type = 'text', commentText, commentHtml, commentVoiceUrl, context, agent } = input
  return {
    type,
    status: 'added',
    from: people.complete(from),
    ...(commentText !== undefined && { commentText }),
    ...(commentHtml !== undefined && { commentHtml }),
    ...(commentVoiceUrl !== undefined && { commentVoiceUrl }),
    ...(context !== undefined && { context: withAccessFields(context) }),
    ...(agent !== undefined && { agent: { ...agent, agentType: agent.agentType ?? agentTypeOf(agent) } }),
    ...(input.isCommentResolverUsed !== undefined && { isCommentResolverUsed: input.isCommentResolverUsed }),
    isCommentTextAvailable: input.isCommentTextAvailable ?? (commentText !== undefined || commentHtml !== undefined),
    attachments: withAttachmentIds(input.attachments ?? []),
    recorders: input.recorders ?? [],
    customList: input.customList ?? [],
    toOrganizationUserGroup: input.toOrganizationUserGroup ?? [],
    ...mentionsOf(input, people),
  }
}

/** The mentioned users: tagged users, and stored users whom the text names as `{{userId}}`. */
export function mentionsOf(
  { taggedUserContacts = [], commentText }: Partial<CommentInput>,
  people: People,
): Pick<CommentRecord, 'taggedUserContacts' | 'to'> {
  const tagged = taggedUserContacts.map(({ userId, text, contact }) => ({
    userId,
    ...(text !== undefined && { text }),
    contact: people.complete({ ...contact, userId }),
  }))
  const named = [...placeholders(commentText)].flatMap((userId) => {
    const contact = people.find(userId)
    return contact ? [{ userId, text: `{{${userId}}}`, contact }] : []
  })
  const mentions = new Map([...named, ...tagged].map((mention) => [mention.userId, mention]))
  return { taggedUserContacts: [...mentions.values()], to: [...mentions.values()].map(({ contact }) => contact) }
}

const agentTypeOf = ({ agentSource }: Agent) => (agentSource === 'external' ? 'external' : 'custom')

/** Returns an unused comment id and adds it to `taken`, the ids of the thread. */
export function newCommentId(taken: Set<number>): number {
  for (let digits = 6; ; digits++) {
    const id = randomInt(10 ** (digits - 1), 10 ** Math.min(digits, 14))
    if (!taken.has(id)) {
      taken.add(id)
      return id
    }
  }
}

interface StoredComment {
  annotationKey: string
  comment: Comment
}

/** Sends a statement that inserts comments in the given order. Their ids must be free. */
export function insertComments(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  comments: StoredComment[],
): void {
  if (comments.length === 0) return
  db.send(sql`
    insert into comment (api_key, organization_key, annotation_key, id, record, created_at, updated_at)
    select ${tenant.apiKey}, ${organizationKey}, c.annotation_key, c.id, c.record, c.created_at, c.updated_at
    from unnest(
      ${comments.map(({ annotationKey }) => annotationKey)}::uuid[],
      ${comments.map(({ comment }) => comment.commentId)}::bigint[],
      ${comments.map(({ comment }) => json(recordOf(comment)))}::jsonb[],
      ${comments.map(({ comment }) => comment.createdAt)}::bigint[],
      ${comments.map(({ comment }) => comment.lastUpdated)}::bigint[]
    ) with ordinality as c (annotation_key, id, record, created_at, updated_at, position)
    order by c.position`)
}

/** Sends a statement that updates comments of threads that the transaction has locked. */
export function updateCommentRows(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  comments: StoredComment[],
): void {
  if (comments.length === 0) return
  db.send(sql`
    update comment c
    set record = i.record, updated_at = i.updated_at
    from unnest(
      ${comments.map(({ annotationKey }) => annotationKey)}::uuid[],
      ${comments.map(({ comment }) => comment.commentId)}::bigint[],
      ${comments.map(({ comment }) => json(recordOf(comment)))}::jsonb[],
      ${comments.map(({ comment }) => comment.lastUpdated)}::bigint[]
    ) as i (annotation_key, id, record, updated_at)
    where c.api_key = ${tenant.apiKey} and c.organization_key = ${organizationKey}
      and c.annotation_key = i.annotation_key and c.id = i.id`)
}

function recordOf(comment: Comment): CommentRecord {
  const { commentId, createdAt, lastUpdated, reactionAnnotationIds, ...record } = comment
  return record
}
