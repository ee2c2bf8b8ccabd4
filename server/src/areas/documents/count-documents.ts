import { sql, together } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { ROOT } from '../folders/folder.ts'
import { DocumentFilter, filterIssues, matching } from './document-filter.ts'
import { documentPlaceOf, requireDocumentPlace } from './document-place.ts'

/** Counts the documents of an organization that `documents/get` would list for the same folder and filters. */
export const countDocuments = operation({
  path: '/v2/organizations/documents/count',
  auth: 'apiKey',
  access: 'read',
  summary: 'Count documents',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    folderId: Type.Optional(identifier(`Only documents directly in this folder; \`${ROOT}\`: in none.`)),
    excludeFolderDocs: Type.Optional(
      Type.Boolean({ description: 'True: only documents that are in no folder. Not together with `filters`.' }),
    ),
    filters: Type.Optional(Type.Array(DocumentFilter, { maxItems: 10, description: 'All must hold.' })),
  }),
  check: ({ folderId, excludeFolderDocs, filters }) => [
    ...filterIssues(filters),
    ...(excludeFolderDocs && filters
      ? [{ path: 'excludeFolderDocs', message: 'must not be given together with filters' }]
      : []),
    ...(excludeFolderDocs && folderId !== undefined && folderId !== ROOT
      ? [{ path: 'excludeFolderDocs', message: 'must not be given together with folderId' }]
      : []),
  ],
  example: { organizationId: 'example', folderId: 'website' },
  output: Type.Object({
    count: Type.Integer(),
    filtersApplied: Type.Optional(Type.Boolean({ description: 'True where `filters` were given.' })),
  }),
  errors: ['NOT_FOUND'],
  message: 'Document count retrieved successfully.',
}).run(async ({ db, tenant, input }) => {
  const { organizationId, excludeFolderDocs, filters } = input
  const named = { organizationId, folderId: excludeFolderDocs ? ROOT : input.folderId }
  const { organizationKey, folderKey } = documentPlaceOf(tenant, named)
  const documents = sql`
    select count(*) as count
    from document d
    where d.api_key = ${tenant.apiKey} and d.organization_key = ${organizationKey}
      ${matching({ folderKey, filters })}`
  const [, [row]] = await together([requireDocumentPlace(db, tenant, named), db.query<{ count: number }>(documents)])
  return { count: row?.count ?? 0, ...(filters && { filtersApplied: true }) }
})
