import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { documentMigrated } from '../documents/document-event.ts'

/** Moves the recordings of a document to its new id. */
export const moveRecordingsOfDocument = on(documentMigrated, async ({ db, tenant: { apiKey } }, documents) => {
  for (const { organizationKey, oldKey, newKey } of documents) {
    await db.query(sql`
      update recording
      set document_key = ${newKey}
      where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey}`)
  }
})
