import { together } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf, wholeList } from '../../platform/page.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { DocumentRecord, readDocumentRecords } from './document-record.ts'

// How many documents are read at a time.
const BATCH = 1_000

/** Lists the documents of an organization, all on one page. Unknown ids are left out. */
export const getDocumentsV1 = operation({
  path: '/v1/organizations/documents/get',
  auth: 'apiKey',
  access: 'read',
  large: true,
  summary: 'Get documents (v1)',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Optional(Type.Array(identifier('Id of a document.'), { description: 'Omitted: all.' })),
  }),
  example: { organizationId: 'example', documentIds: ['home-page', 'checkout'] },
  output: Type.Array(DocumentRecord, { description: 'Each with its custom metadata.' }),
  errors: ['NOT_FOUND'],
  message: 'Document(s) retrieved successfully.',
}).run(async ({ db, tenant, input, config }) => {
  const selection = {
    organizationKey: organizationKeyOf(tenant, input.organizationId),
    keys: input.documentIds?.map(keyOf),
    limit: BATCH + 1,
    maxBytes: config.pageLimitBytes,
  }
  const readPage = async (previous: { seq: number } | undefined) =>
    pageOf(await readDocumentRecords(db, tenant, { after: previous?.seq ?? 0, ...selection }), BATCH)
  const [, documents] = await together([
    requireOrganization(db, tenant, input.organizationId),
    wholeList(readPage, ({ record }) => record),
  ])
  return documents
})
