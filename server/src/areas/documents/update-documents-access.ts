import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { AccessType } from '../folders/access-type.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { changeDocuments } from './change-documents.ts'

/** Sets the access type of documents. It takes precedence over that of their folders. */
export const updateDocumentsAccess = operation({
  path: '/v2/organizations/documents/access/update',
  twin: '/v1/organizations/documents/access/update',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Set the access type of documents',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Array(identifier('Id of a document.')),
    accessType: AccessType,
  }),
  example: { organizationId: 'example', documentIds: ['landing-page'], accessType: 'restricted' },
  output: mapOf(itemResult({ accessType: Type.Optional(AccessType) }), 'One result per document id.'),
  errors: ['NOT_FOUND'],
  message: 'Document access type updated successfully.',
}).run(async ({ db, tenant, input }) => {
  const { documentIds, accessType } = input
  const organization = await ensureOrganization(db, tenant, input.organizationId, { create: false })
  return changeDocuments(db, tenant, organization.key, {
    documentIds,
    set: sql`access_type = ${accessType}`,
    answer: { accessType, message: 'Document access type updated.' },
  })
})
