import { together } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { ROOT } from '../folders/folder.ts'
import { DocumentFilter, filterIssues } from './document-filter.ts'
import { documentPlaceOf, requireDocumentPlace } from './document-place.ts'
import { DocumentRecord, readDocumentRecords } from './document-record.ts'

const PATH = '/v2/organizations/documents/get'

/** Lists documents with their custom metadata, in the order in which they were added. Unknown ids are left out. */
export const getDocuments = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'Get documents',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Optional(Type.Array(identifier('Id of a document.'), { description: 'Omitted: all.' })),
    folderId: Type.Optional(identifier(`Only documents directly in this folder; \`${ROOT}\`: in none.`)),
    filters: Type.Optional(Type.Array(DocumentFilter, { maxItems: 10, description: 'All must hold.' })),
    searchKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Only documents whose name or id contains this text, in upper or lower case.',
      }),
    ),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  check: ({ filters }) => filterIssues(filters),
  example: { organizationId: 'example', folderId: 'website', pageSize: 20 },
  output: Type.Array(DocumentRecord, { description: 'Each with its custom metadata.' }),
  errors: ['NOT_FOUND'],
  message: 'Document(s) retrieved successfully.',
  page: 'pageToken',
}).run(async ({ db, tenant, input, pageTokens, config }) => {
  const { organizationId, documentIds, folderId, filters, searchKey, pageSize = 1000, pageToken } = input
  const scope = {
    operation: PATH,
    tenant: tenant.apiKey,
    filters: {
      organizationId,
      documentIds: documentIds ?? null,
      folderId: folderId ?? null,
      filters: filters ?? null,
      ...(searchKey !== undefined && { searchKey }),
    },
  }
  const selection = {
    ...documentPlaceOf(tenant, input),
    keys: documentIds?.map(keyOf),
    filters,
    searchKey,
    after: pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken)),
    limit: pageSize + 1,
    maxBytes: config.pageLimitBytes,
  }
  const [, rows] = await together([requireDocumentPlace(db, tenant, input), readDocumentRecords(db, tenant, selection)])
  const { page, last } = pageOf(rows, pageSize)
  return {
    data: page.map(({ record }) => record),
    next: last ? pageTokens.seal(scope, last.seq) : null,
  }
})
