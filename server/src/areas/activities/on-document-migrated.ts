import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { type DocumentMigrated, documentMigrated } from '../documents/document-event.ts'

/** Shows the activities of a document under its new id. */
export const moveActivitiesOfDocument = on(documentMigrated, async ({ db, tenant }, documents) => {
  for (const document of documents) await moveActivities(db, tenant, document)
})

/**
 * Moves the versions that reads answer: an index leads to them. The chained entries keep the id that they were written
 * with, and earlier versions have no other.
 */
export async function moveActivities(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { organizationKey, oldKey, newKey, newDocumentId }: DocumentMigrated,
): Promise<void> {
  await db.query(sql`
    update activity_entry
    set document_key = ${newKey}, current_document_id = ${newDocumentId}
    where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey} and current`)
}
