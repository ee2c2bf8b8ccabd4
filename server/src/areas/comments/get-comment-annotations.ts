import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, mapOf, nullable, oneOf, type Static, Type } from '../../platform/schema.ts'
import { CommentAnnotation } from './thread/annotation.ts'
import { loadThreads, type ThreadRow, threadColumns, toAnnotation } from './thread/thread.ts'
import { conditionOf, readFilter } from './thread/thread-filter.ts'

const PATH = '/v2/commentannotations/get'

const Input = Type.Object({
  organizationId: identifier('Id of the organization.'),
  ...readFilter,
  groupByDocumentId: Type.Optional(Type.Boolean({ description: 'True: answer a map by document id.' })),
  order: Type.Optional(oneOf(['asc', 'desc'], 'By the time of the last change; default: desc.')),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
  pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
})

/** Comment threads, the last changed first. Unknown annotation ids are null, after the last thread. */
export const getCommentAnnotations = operation({
  path: PATH,
  twin: '/v1/commentannotations/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get comment annotations',
  input: Input,
  output: Type.Union([
    Type.Array(nullable(CommentAnnotation), { description: 'Null for each unknown annotation id.' }),
    mapOf(Type.Array(CommentAnnotation), 'By document id, when groupByDocumentId is true.'),
  ]),
  errors: [],
  message: 'Annotation(s) fetched successfully.',
  page: 'nextPageToken',
}).run(async ({ db, tenant, input, pageTokens }) => {
  const { organizationId, pageSize = 1000, pageToken, ...filters } = input
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { organizationId, ...filters } }
  const after = pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as Position)
  const rows = await readPage(db, tenant, input, after, pageSize + 1)
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  const threads = await loadThreads(db, tenant, keyOf(organizationId), page)
  const annotations = threads.map((thread, index) =>
    toAnnotation(thread, { apiKey: tenant.apiKey, organizationId, documentId: page[index]?.documentId ?? '' }),
  )
  const next = last ? pageTokens.seal(scope, [last.updatedAt, last.key]) : null
  if (input.groupByDocumentId) return { data: byDocument(annotations), next }
  const unknown = last ? [] : await countUnknown(db, tenant, input)
  return { data: [...annotations, ...unknown], next }
})

type Position = [updatedAt: number, key: string]

// The page is cut before anything is joined: its cost is that of its own rows.
function readPage(
  db: Db,
  tenant: ApiKeyTenant,
  input: Static<typeof Input>,
  after: Position | undefined,
  limit: number,
): Promise<(ThreadRow & { documentId: string })[]> {
  const isAscending = input.order === 'asc'
  const order = isAscending ? sql`a.updated_at, a.key` : sql`a.updated_at desc, a.key desc`
  const organizationKey = keyOf(input.organizationId)
  const start =
    after && sql`and (a.updated_at, a.key) ${isAscending ? sql`>` : sql`<`} (${after[0]}::bigint, ${after[1]}::uuid)`
  return db.query(sql`
    select ${threadColumns}, d.id as "documentId"
    from (
      select *
      from comment_annotation a
      where a.api_key = ${tenant.apiKey} and a.organization_key = ${organizationKey}
        and ${conditionOf(tenant.apiKey, organizationKey, input)} ${start ?? empty}
      order by ${order}
      limit ${limit}
    ) a
    join document d on d.api_key = a.api_key and d.organization_key = a.organization_key and d.key = a.document_key
    order by ${order}`)
}

/** A null for each annotation id of the request that names no thread of the organization. */
async function countUnknown(db: Db, tenant: ApiKeyTenant, input: Static<typeof Input>): Promise<null[]> {
  if (!input.annotationIds) return []
  const keys = new Set(input.annotationIds.map(keyOf))
  const known = await db.query(sql`
    select key
    from comment_annotation
    where api_key = ${tenant.apiKey} and organization_key = ${keyOf(input.organizationId)}
      and key = any(${[...keys]}::uuid[])`)
  return Array.from({ length: keys.size - known.length }, () => null)
}

function byDocument(annotations: CommentAnnotation[]): Record<string, CommentAnnotation[]> {
  const groups = new Map<string, CommentAnnotation[]>()
  for (const annotation of annotations) {
    const { documentId } = annotation.metadata
    groups.set(documentId, [...(groups.get(documentId) ?? []), annotation])
  }
  return Object.fromEntries(groups)
}
