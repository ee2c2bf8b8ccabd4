import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { documentMigrated } from '../documents/document-event.ts'

/** Shows the activities of a document under its new id. The chained entries keep the id that they were written with. */
export const moveActivitiesOfDocument = on(documentMigrated, async ({ db, tenant: { apiKey } }, documents) => {
  for (const { organizationKey, oldKey, newKey, newDocumentId } of documents) {
    await db.query(sql`
      update activity_entry
      set document_key = ${newKey}, current_document_id = ${newDocumentId}
      where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey}`)
  }
})
