import { groupBy } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, raw, type Sql, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, mapOf, nullable, oneOf, type Static, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { type DecisionContext, deniedByProvider } from '../permissions/provider/decide-for-users.ts'
import { readLateThreads } from './thread/late-threads.ts'
import { type PagedThread, readThreadPage } from './thread/read-thread-page.ts'
import { ShownThread } from './thread/shown-thread.ts'
import { isVisibleTo } from './thread/shown-to.ts'
import { conditionOf, readFilter } from './thread/thread-filter.ts'

const PATH = '/v2/commentannotations/get'

const Input = Type.Object({
  organizationId: identifier('Id of the organization.'),
  ...readFilter,
  visibleToUserId: Type.Optional(
    identifier(
      'Only threads that this user may see by their visibility and `context.access`, and in documents that a permission ' +
        'provider, if it is on, lets the user view; pages may be short then. Stored grants are not checked.',
    ),
  ),
  groupByDocumentId: Type.Optional(Type.Boolean({ description: 'True: answer a map by document id.' })),
  order: Type.Optional(oneOf(['asc', 'desc'], 'By the time of the last change; default: desc.')),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
  pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
})

/** Returns comment threads, the last changed first. Unknown annotation ids are null, after the last thread. */
export const getCommentAnnotations = operation({
  path: PATH,
  twin: '/v1/commentannotations/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get comment annotations',
  description:
    'A page holds at most `pageSize` threads and `PAGE_LIMIT_BYTES` of records, so it may be shorter than asked for. A ' +
    'thread shows its first comment and its latest ones, at most 200 and within the same bytes.',
  input: Input,
  example: { organizationId: 'example', documentId: 'home-page', pageSize: 20 },
  output: Type.Union([
    Type.Array(nullable(ShownThread), { description: 'Null for each unknown annotation id.' }),
    mapOf(Type.Array(ShownThread), 'By document id, when groupByDocumentId is true.'),
  ]),
  errors: [],
  message: 'Annotation(s) fetched successfully.',
  page: 'nextPageToken',
}).run(async (context) => {
  const { db, tenant, input, pageTokens, config } = context
  const { pageSize = 1000, pageToken, order = 'desc', ...filters } = input
  const { organizationId } = filters
  // The default is no filter, whether it is named or not.
  const ordered = order === 'desc' ? filters : { ...filters, order }
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: ordered }
  const after = pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as Position)
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const shown = shownTo(tenant, organizationKey, input)
  const { page, last } = await readThreadPage(db, tenant, {
    organizationKey,
    condition: sql`${conditionOf(tenant.apiKey, organizationKey, input)} ${shown ? sql`and ${shown}` : empty}
      ${beyond(after, order)}`,
    order,
    pageSize,
    maxBytes: config.pageLimitBytes,
  })
  const admitted = await admittedByProvider(context, page)
  const annotations = await readLateThreads(db, tenant, { organizationKey, organizationId }, admitted, shown)
  const next = last ? pageTokens.seal(scope, [last.updatedAt, last.key]) : null
  if (input.groupByDocumentId) {
    return { data: Object.fromEntries(groupBy(annotations, ({ documentId }) => documentId)), next }
  }
  const unknown = last ? [] : await countUnknown(db, tenant, input)
  return { data: [...annotations, ...unknown], next }
})

const shownTo = (
  { apiKey }: ApiKeyTenant,
  organizationKey: string,
  { organizationId, visibleToUserId }: Static<typeof Input>,
): Sql | undefined =>
  visibleToUserId === undefined ? undefined : isVisibleTo(apiKey, { organizationId, organizationKey }, visibleToUserId)

/** The threads of documents that the permission provider, if it is on, lets the user of `visibleToUserId` view. */
async function admittedByProvider(
  context: DecisionContext & { input: Static<typeof Input> },
  page: PagedThread[],
): Promise<PagedThread[]> {
  const { organizationId, visibleToUserId: userId } = context.input
  if (userId === undefined) return page
  const documentIds = [...new Set(page.map(({ documentId }) => documentId))]
  const denied = await deniedByProvider(context, { organizationId, userId }, documentIds)
  return page.filter(({ documentId }) => !denied.has(documentId))
}

type Position = [updatedAt: number, key: string]

const beyond = (after: Position | undefined, order: 'asc' | 'desc'): Sql =>
  after
    ? sql`and (a.updated_at, a.key) ${raw(order === 'asc' ? '>' : '<')} (${after[0]}::bigint, ${after[1]}::uuid)`
    : empty

/** A null for each requested annotation id that no thread of the organization has. */
async function countUnknown(db: Db, tenant: ApiKeyTenant, input: Static<typeof Input>): Promise<null[]> {
  if (!input.annotationIds) return []
  const keys = new Set(input.annotationIds.map(keyOf))
  const known = await db.query(sql`
    select key
    from comment_annotation
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKeyOf(tenant, input.organizationId)}
      and key = any(${[...keys]}::uuid[])`)
  return Array.from({ length: keys.size - known.length }, () => null)
}
