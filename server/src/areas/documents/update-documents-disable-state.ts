import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { changeDocuments } from './change-documents.ts'

/** Disables documents, or enables them again. Nobody can read or write in a disabled document. */
export const updateDocumentsDisableState = operation({
  path: '/v2/organizations/documents/access/disablestate/update',
  twin: '/v1/organizations/documents/access/disablestate/update',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Disable or enable documents',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Array(identifier('Id of a document.')),
    disabled: Type.Boolean({ description: 'True: nobody reads or writes in it.' }),
  }),
  example: { organizationId: 'example', documentIds: ['landing-page'], disabled: true },
  output: mapOf(itemResult({ disabled: Type.Optional(Type.Boolean()) }), 'One result per document id.'),
  errors: ['NOT_FOUND'],
  message: 'Document disabled state updated successfully.',
}).run(async ({ db, tenant, input }) => {
  const { documentIds, disabled } = input
  const organization = await ensureOrganization(db, tenant, input.organizationId, { create: false })
  return changeDocuments(db, tenant, organization.key, {
    documentIds,
    set: sql`disabled = ${disabled}`,
    answer: { disabled, message: 'Document disabled state updated.' },
  })
})
