import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { lockRows } from '../organizations/lock-rows.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { DocumentResults } from './document.ts'
import { documentsDeleted } from './document-event.ts'

/** Deletes documents for good, with everything in them. */
export const deleteDocuments = operation({
  path: '/v2/organizations/documents/delete',
  twin: '/v1/organizations/documents/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete documents',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Array(identifier('Id of a document.')),
  }),
  example: { organizationId: 'example', documentIds: ['landing-page'] },
  output: DocumentResults,
  errors: [],
  message: 'Document(s) deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const { organizationId } = input
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const ids = new Set(input.documentIds)
  // Locks the organization first, like every writer below it, so that its deletion waits there.
  await db.query(sql`
    select from organization where api_key = ${tenant.apiKey} and key = ${organizationKey} for key share`)
  const rows = await db.query<{ key: string; id: string }>(
    lockRows('document', 'for update', { apiKey: tenant.apiKey, organizationKey, keys: [...ids].map(keyOf) }),
  )
  await emit(
    documentsDeleted,
    rows.map(({ key, id }) => ({ organizationKey, organizationId, documentKey: key, documentId: id })),
  )
  await ensureStatistics(db)
  await db.query(sql`
    delete from document d
    using (
      select k.key, ${tenant.apiKey} as api_key, ${organizationKey}::uuid as organization_key
      from unnest(${rows.map(({ key }) => key)}::uuid[]) as k (key)
      offset 0
    ) t
    where d.api_key = t.api_key and d.organization_key = t.organization_key and d.key = t.key`)
  const deleted = new Set(rows.map(({ id }) => id))
  return resultsOf(ids, (id) =>
    deleted.has(id)
      ? { success: true, message: 'Deleted Successfully' }
      : { success: false, message: 'Document does not exist' },
  )
})
