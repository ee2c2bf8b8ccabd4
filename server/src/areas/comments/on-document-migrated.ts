import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { documentMigrated } from '../documents/document-event.ts'

/** Moves the threads of a document, and their numbering, to its new id. */
export const moveThreadsOfDocument = on(documentMigrated, async ({ db, tenant: { apiKey } }, documents) => {
  for (const { organizationKey, oldKey, newKey } of documents) {
    await db.query(sql`
      update comment_annotation
      set document_key = ${newKey}
      where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey}`)
    await db.query(sql`
      update comment_annotation_count
      set document_key = ${newKey}
      where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey}`)
  }
})
