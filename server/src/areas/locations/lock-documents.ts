import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'

/**
 * Locks documents, so that changes to their locations take turns and cannot deadlock. Returns their keys;
 * `organizationKey` is null for the document in every organization.
 */
export async function lockDocuments(
  db: Db,
  tenant: ApiKeyTenant,
  { documentId, organizationId }: { documentId: string; organizationId?: string },
) {
  const documentKey = keyOf(documentId)
  const organizationKey = organizationId === undefined ? null : organizationKeyOf(tenant, organizationId)
  await db.query(sql`
    select
    from document
    where api_key = ${tenant.apiKey}
      and key::text = ${documentKey}
      ${organizationKey === null ? empty : sql`and organization_key = ${organizationKey}`}
    order by organization_key
    for no key update`)
  return { documentId, documentKey, organizationKey }
}
