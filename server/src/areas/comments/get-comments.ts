import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, sql, together } from '../../platform/db/db.ts'
import { besides } from '../../platform/db/narrowing.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { type Cut, pageOf, withinBytes } from '../../platform/page.ts'
import { identifier, nullable, type Static, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { Comment } from './comment/comment.ts'
import { commentId } from './comment/comment-input.ts'
import type { CommentRow } from './comment/read-comments.ts'
import { placeInput } from './thread/place.ts'
import { toComments } from './thread/thread.ts'
import { readReactions } from './thread/thread-reactions.ts'

const PATH = '/v2/commentannotations/comments/get'

const Input = Type.Object({
  ...placeInput,
  annotationId: identifier('Id of the thread.'),
  userIds: Type.Optional(Type.Array(identifier('Id of a user who wrote comments.'))),
  commentIds: Type.Optional(Type.Array(commentId)),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
  pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
})
type Input = Static<typeof Input>

/** Returns the comments of a thread in the order of adding, or the requested ones in the order of the request. */
export const getComments = operation({
  path: PATH,
  twin: '/v1/commentannotations/comments/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get comments',
  description: 'A page holds at most `pageSize` comments and `PAGE_LIMIT_BYTES` of records, one at least.',
  input: Input,
  example: { organizationId: 'example', documentId: 'home-page', annotationId: 'price-table' },
  output: Type.Array(nullable(Comment), { description: 'Null for each unknown comment id.' }),
  errors: [],
  message: 'Comment(s) fetched successfully.',
  page: 'nextPageToken',
}).run(async ({ db, tenant, input, pageTokens, config }) => {
  const { pageSize = 1000, pageToken, ...filters } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters }
  const after = pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken))
  const organizationKey = organizationKeyOf(tenant, input.organizationId)
  const [rows, reactions] = await together([
    readPage(db, tenant, input, { after, pageSize, maxBytes: config.pageLimitBytes }),
    readReactions(db, tenant, organizationKey, [keyOf(input.annotationId)]),
  ])
  const { page, last } = pageOf(rows, pageSize)
  const known = page.filter(({ id }) => id !== null)
  const comments = new Map(toComments(known, reactions).map((comment) => [comment.commentId, comment]))
  return {
    data: page.map(({ id }) => comments.get(id) ?? null),
    next: last ? pageTokens.seal(scope, last.position) : null,
  }
})

interface Range {
  /** The position at which the previous page ended; 0: the first page. */
  after: number
  pageSize: number
  maxBytes: number
}

interface Row extends CommentRow, Cut {
  /** The place in the thread, or in the list of ids. */
  position: number
}

/** The rows of a page, cut by their sizes. An unknown requested id is a row without an id. */
function readPage(db: Db, tenant: ApiKeyTenant, input: Input, { after, pageSize, maxBytes }: Range) {
  const { apiKey } = tenant
  const organizationKey = organizationKeyOf(tenant, input.organizationId)
  const annotationKey = keyOf(input.annotationId)
  const isInThread = sql`
    c.organization_key = ${organizationKey} and c.annotation_key = ${annotationKey}
      and exists (
        select
        from comment_annotation a
        where a.api_key = ${apiKey} and a.organization_key = ${organizationKey} and a.key = ${annotationKey}
          and ${besides(sql`a.document_key = ${keyOf(input.documentId)}`)}
      )
      ${input.userIds ? sql`and c.record #>> '{from,userId}' = any(${input.userIds}::text[])` : empty}`
  const columns = sql`c.annotation_key as key, c.id, c.record, c.created_at, c.updated_at, coalesce(c.size, 0) as size`
  const ids = input.commentIds && [...new Set(input.commentIds)]
  const source = ids
    ? sql`
      select ${columns}, i.position
      from unnest(${ids}::bigint[]) with ordinality as i (id, position)
      left join comment c on c.api_key = ${apiKey} and c.id = i.id and ${isInThread}`
    : sql`select ${columns}, c.seq as position from comment c where c.api_key = ${apiKey} and ${isInThread}`
  const listed = sql`
    select *
    from (${source}) s
    where position > ${after}::bigint
    order by position
    limit ${pageSize + 1}`
  return db.query<Row>(withinBytes(listed, sql`position`, maxBytes))
}
