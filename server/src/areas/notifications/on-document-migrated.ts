import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { documentMigrated } from '../documents/document-event.ts'

/** Moves the notifications of a document, and the preferences for it, to its new id. */
export const moveNotificationsOfDocument = on(documentMigrated, async ({ db, tenant: { apiKey } }, documents) => {
  for (const { organizationKey, oldKey, newKey } of documents) {
    await db.query(sql`
      update notification
      set document_key = ${newKey}
      where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey}`)
    await db.query(sql`
      update notification_preference
      set document_key = ${newKey}
      where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey}`)
  }
})
