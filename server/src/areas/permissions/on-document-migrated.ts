import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { documentMigrated } from '../documents/document-event.ts'

/** Moves the grants on a document to its new id. */
export const moveGrantsOfDocument = on(documentMigrated, async ({ db, tenant: { apiKey } }, documents) => {
  for (const { organizationKey, oldKey, newKey } of documents) {
    await db.query(sql`
      update access_grant
      set resource_key = ${newKey}
      where api_key = ${apiKey} and organization_key = ${organizationKey} and resource_type = 'document'
        and resource_key = ${oldKey}`)
  }
})
