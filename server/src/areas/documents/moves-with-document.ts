import { raw, sql } from '../../platform/db/db.ts'
import { on, type Subscription } from '../../platform/event.ts'
import { documentMigrated } from './document-event.ts'

/** A reaction by which the rows of tables that have a `document_key` move with their document to its new id. */
export const movesWithDocument = (...tables: string[]): Subscription =>
  on(documentMigrated, async ({ db, tenant: { apiKey } }, documents) => {
    for (const { organizationKey, oldKey, newKey } of documents) {
      for (const table of tables) {
        await db.query(sql`
          update ${raw(table)}
          set document_key = ${newKey}
          where api_key = ${apiKey} and organization_key = ${organizationKey} and document_key = ${oldKey}`)
      }
    }
  })
