import { empty, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, mapOf, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { deniedByProvider } from '../permissions/provider/decide-for-users.ts'
import { isVisibleTo } from './thread/shown-to.ts'
import { StatusType } from './thread/status.ts'
import { anyStatusType } from './thread/thread-filter.ts'

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
    statusTypes: Type.Optional(Type.Array(StatusType)),
  }),
  example: { organizationId: 'example', documentIds: ['home-page', 'checkout'], userId: 'nadia' },
  output: mapOf(Type.Object({ total: Type.Integer(), unread: Type.Integer() }), 'By document id.'),
  errors: [],
  message: 'Comment count(s) fetched successfully.',
}).run(async (context) => {
  const { db, tenant, input } = context
  const { organizationId, documentIds, userId, statusIds, statusTypes } = input
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const rows = await db.query<Row>(sql`
    select d.id, n.total, n.unread
    from unnest(${documentIds.map(keyOf)}::uuid[]) as k (key)
    -- The offsets force look-ups, whatever the planner's statistics: ids of documents repeat between API keys.
    cross join lateral (
      select d.key, d.id
      from document d
      where d.api_key = ${tenant.apiKey} and d.organization_key = ${organizationKey} and d.key = k.key
      offset 0
    ) d
    cross join lateral (
      select count(*) as total,
        -- What was never seen is unread, whatever its comments are.
        count(*) filter (
          where case
            when p.viewed_at is null then true
            else p.viewed_at < (
              select max(c.created_at)
              from comment c
              where c.api_key = ${tenant.apiKey} and c.organization_key = ${organizationKey} and c.annotation_key = a.key)
          end) as unread
      from comment_annotation a
      left join lateral (
        select p.viewed_at
        from comment_participant p
        where p.api_key = ${tenant.apiKey} and p.organization_key = ${organizationKey} and p.annotation_key = a.key
          and p.user_key = ${keyOf(userId)}
        offset 0
      ) p on true
      where a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey} and a.document_key = d.key
        ${statusIds ? sql`and a.status_id = any(${statusIds}::text[])` : empty}
        ${statusTypes ? sql`and ${anyStatusType(statusTypes)}` : empty}
        and ${isVisibleTo(tenant.apiKey, { organizationId, organizationKey }, userId)}
    ) n`)
  const found = rows.filter(({ total }) => total > 0)
  const denied = await deniedByProvider(
    context,
    input,
    found.map(({ id }) => id),
  )
  const shown = found.filter(({ id }) => !denied.has(id))
  const counts = new Map(shown.map(({ id, total, unread }) => [id, { total, unread }]))
  return Object.fromEntries(documentIds.map((id) => [id, counts.get(id) ?? { total: 0, unread: 0 }]))
})
