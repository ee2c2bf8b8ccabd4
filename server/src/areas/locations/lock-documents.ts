import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

/**
 * Changes to the locations of a document take turns, so that no two of them wait for each other's rows. Answers what
 * the change is about: the document in one organization, or in every one where `organizationId` is not given.
 */
export async function lockDocuments(
  db: Db,
  tenant: ApiKeyTenant,
  { documentId, organizationId }: { documentId: string; organizationId?: string },
) {
  const documentKey = keyOf(documentId)
  const organizationKey = organizationId === undefined ? null : keyOf(organizationId)
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
