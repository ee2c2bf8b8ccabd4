import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { oneOf, type Static } from '../../platform/schema.ts'

/** How far a migration is. */
export const MigrationStatus = oneOf(
  ['pending', 'completed', 'failed'],
  'pending: it has not begun; completed: everything is under the new id; failed: nothing has changed, as a document ' +
    'has taken the new id, or the old one is gone or has grown too large.',
)

/** A change of a document's id. */
export interface Migration {
  documentId: string
  newDocumentId: string
  status: Static<typeof MigrationStatus>
}

/** Reads a migration; undefined if there is none. */
export async function findMigration(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  id: string,
): Promise<Migration | undefined> {
  const [migration] = await db.query<Migration>(sql`
    select document_id as "documentId", new_document_id as "newDocumentId", status
    from document_migration
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and id = ${id}`)
  return migration
}
