import { empty, sql } from '../../platform/db/db.ts'
import { narrowing } from '../../platform/db/narrowing.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { type Cut, pageOf, withinBytes } from '../../platform/page.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { commentId } from '../comments/comment/comment-input.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { ReactionAnnotation, type ReactionRow, toReactionAnnotation } from './reaction.ts'

const PATH = '/v2/reactions/get'

/** Returns reactions in the order of adding. */
export const getReactions = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'Get reactions',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentId: Type.Optional(identifier('Only in this document.')),
    annotationId: Type.Optional(identifier('Only to this thread and its comments.')),
    commentId: Type.Optional(commentId),
    userId: Type.Optional(identifier('Only of this user.')),
    reactionIds: Type.Optional(Type.Array(identifier('Id of a reaction.'))),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  example: { organizationId: 'example', documentId: 'home-page', annotationId: 'price-table' },
  output: Type.Array(ReactionAnnotation),
  errors: [],
  message: 'Reaction(s) retrieved successfully.',
  page: 'pageToken',
}).run(async ({ db, tenant, input, pageTokens, config }) => {
  const { pageSize = 1000, pageToken, ...filters } = input
  const { organizationId, documentId, annotationId, userId, reactionIds } = filters
  const scope = { operation: PATH, tenant: tenant.apiKey, filters }
  const after = pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken))
  const narrowed = narrowing(reactionIds)
  const reactions = sql`
    select r.size, r.seq, r.id, a.id as "annotationId", r.comment_id as "commentId", d.id as "documentId", r.record,
      r.created_at as "createdAt"
    from (
      select *
      from reaction
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKeyOf(tenant, organizationId)} and seq > ${after}::bigint
        ${documentId === undefined ? empty : sql`and ${narrowed(sql`document_key = ${keyOf(documentId)}`)}`}
        ${annotationId === undefined ? empty : sql`and ${narrowed(sql`annotation_key = ${keyOf(annotationId)}`)}`}
        ${filters.commentId === undefined ? empty : sql`and comment_id = ${filters.commentId}`}
        ${userId === undefined ? empty : sql`and ${narrowed(sql`from_key = ${keyOf(userId)}`)}`}
        ${reactionIds ? sql`and key = any(${reactionIds.map(keyOf)}::uuid[])` : empty}
      order by seq
      limit ${pageSize + 1}
    ) r
    join comment_annotation a
      on a.api_key = r.api_key and a.organization_key = r.organization_key and a.key = r.annotation_key
    join document d on d.api_key = r.api_key and d.organization_key = r.organization_key and d.key = r.document_key
    order by r.seq`
  const rows = await db.query<ReactionRow & Cut & { seq: number }>(
    withinBytes(reactions, sql`seq`, config.pageLimitBytes),
  )
  const { page, last } = pageOf(rows, pageSize)
  return {
    data: page.map((row) => toReactionAnnotation(row, tenant.apiKey, organizationId)),
    next: last ? pageTokens.seal(scope, last.seq) : null,
  }
})
