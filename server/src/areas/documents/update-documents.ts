import { lastById, resultsOf } from '../../platform/bulk.ts'
import { json, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { mayMerge, merged, OUTGROWN, oversizedItems } from '../../platform/record-size.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { lockedRows, lockRows } from '../organizations/lock-rows.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { DocumentChange, DocumentResults, documentMetadata } from './document.ts'

/** Changes names, access types and custom metadata. What a request does not mention stays. */
export const updateDocuments = operation({
  path: '/v2/organizations/documents/update',
  twin: '/v1/organizations/documents/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update documents',
  input: Type.Object({ organizationId: identifier('Id of the organization.'), documents: Type.Array(DocumentChange) }),
  example: {
    organizationId: 'example',
    documents: [{ documentId: 'landing-page', documentName: 'Landing page for autumn' }],
  },
  output: DocumentResults,
  errors: ['NOT_FOUND'],
  message: 'Document(s) updated successfully.',
  check: ({ documents }) => oversizedItems('documents', documents),
}).run(async ({ db, tenant, input }) => {
  const organization = await ensureOrganization(db, tenant, input.organizationId, { create: false })
  const documents = lastById(input.documents, (document) => document.documentId)
  const list = [...documents.values()]
  const keys = list.map((document) => keyOf(document.documentId))
  const rows = { apiKey: tenant.apiKey, organizationKey: organization.key, keys }
  db.send(lockRows('document', 'for no key update', rows))
  const found = await db.query<{ id: string; isMerged: boolean }>(sql`
    with target as materialized (${lockedRows('document', rows)}), updated as (
      update document d
      set name = case when i.clears_name then null else coalesce(i.name, d.name) end,
        access_type = coalesce(i.access_type, d.access_type),
        metadata = ${merged(sql`d.metadata`, sql`i.metadata`)},
        updated_at = now_ms()
      from target t
      join unnest(
        ${keys}::uuid[],
        ${list.map((document) => document.documentName ?? null)}::text[],
        ${list.map((document) => document.documentName === null)}::boolean[],
        ${list.map((document) => document.accessType ?? null)}::text[],
        ${list.map((document) => json(documentMetadata(document)))}::jsonb[]
      ) as i (key, name, clears_name, access_type, metadata) on i.key = t.key
      where d.api_key = t.api_key and d.organization_key = t.organization_key and d.key = t.key
        and ${mayMerge(sql`d.metadata`, sql`i.metadata`)}
      returning d.key
    )
    select t.id, u.key is not null as "isMerged"
    from target t
    left join updated u on u.key = t.key`)
  const known = new Map(found.map(({ id, isMerged }) => [id, isMerged]))
  return resultsOf(documents.keys(), (id) => {
    const isMerged = known.get(id)
    if (isMerged === undefined) return { success: false, message: 'Document does not exist' }
    return isMerged ? { success: true, message: 'Updated Successfully' } : { success: false, message: OUTGROWN }
  })
})
