import { empty, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, mapOf, Type } from '../../platform/schema.ts'
import { isVisibleTo } from './thread/visibility.ts'

interface Row {
  id: string
  total: number
  unread: number
}

/** Counts the threads of each document that a user may see, and those with comments that the user has not seen. */
export const countCommentAnnotations = operation({
  path: '/v2/commentannotations/count/get',
  twin: '/v1/commentannotations/count/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Count comment annotations',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Array(identifier('Id of a document.')),
    userId: identifier('Id of the user.'),
    statusIds: Type.Optional(Type.Array(identifier('Id of a status.'))),
  }),
  output: mapOf(Type.Object({ total: Type.Integer(), unread: Type.Integer() }), 'By document id.'),
  errors: [],
  message: 'Comment count(s) fetched successfully.',
}).run(async ({ db, tenant, input }) => {
  const { organizationId, documentIds, userId, statusIds } = input
  const rows = await db.query<Row>(sql`
    select d.id, count(*) as total,
      count(*) filter (where p.viewed_at is null or p.viewed_at < newest.created_at) as unread
    from document d
    join comment_annotation a
      on a.api_key = d.api_key and a.organization_key = d.organization_key and a.document_key = d.key
    left join comment_participant p
      on p.api_key = a.api_key and p.organization_key = a.organization_key and p.annotation_key = a.key
      and p.user_key = ${keyOf(userId)}
    left join lateral (
      select max(c.created_at) as created_at
      from comment c
      where c.api_key = a.api_key and c.organization_key = a.organization_key and c.annotation_key = a.key
    ) newest on true
    where d.api_key = ${tenant.apiKey} and d.organization_key = ${keyOf(organizationId)}
      and d.key = any(${documentIds.map(keyOf)}::uuid[])
      ${statusIds ? sql`and a.status_id = any(${statusIds}::text[])` : empty}
      and ${isVisibleTo(tenant.apiKey, organizationId, userId)}
    group by d.id`)
  const counts = new Map(rows.map(({ id, total, unread }) => [id, { total, unread }]))
  return Object.fromEntries(documentIds.map((id) => [id, counts.get(id) ?? { total: 0, unread: 0 }]))
})
