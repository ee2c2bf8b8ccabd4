import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { type Job, job } from '../../platform/work/job.ts'
import { documentMigrated } from './document-event.ts'
import { findMigration, type Migration } from './document-migration.ts'
import { isMigratable } from './migratable.ts'

/**
 * Runs a migration in one transaction. It fails where the old document is gone or has grown too large, or where a
 * document has taken the new id.
 */
export const runMigration: Job<{ organizationKey: string; migrationId: string }> = job({
  name: 'document.migrate',
  async run({ db, tenant, emit }, { organizationKey, migrationId }) {
    // Locks the organization first, like every writer below it.
    await db.query(sql`
      select from organization where api_key = ${tenant.apiKey} and key = ${organizationKey} for key share`)
    const migration = await findMigration(db, tenant, organizationKey, migrationId)
    if (migration?.status !== 'pending') return
    const { documentId, newDocumentId } = migration
    const [oldKey, newKey] = [keyOf(documentId), keyOf(newDocumentId)]
    const isCopied =
      (await isMigratable(db, tenant, organizationKey, documentId)) &&
      (await copyDocument(db, tenant, organizationKey, migration))
    if (isCopied) {
      await emit(documentMigrated, [{ organizationKey, oldKey, newKey, newDocumentId }])
      await db.query(sql`
        delete from document
        where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = ${oldKey}`)
    }
    await db.query(sql`
      update document_migration
      set status = ${isCopied ? 'completed' : 'failed'}
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and id = ${migrationId}`)
  },
})

/** Copies the row to the new id; false if there is no such document, or the new id is taken. */
async function copyDocument(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizationKey: string,
  { documentId, newDocumentId }: Migration,
): Promise<boolean> {
  // Writers below the document hold a lock on its row, so this waits for them.
  await db.query(sql`
    select
    from document
    where api_key = ${apiKey} and organization_key = ${organizationKey} and key = ${keyOf(documentId)}
    for update`)
  const copies = await db.query(sql`
    insert into document (
      api_key, organization_key, key, id, seq, name, folder_key, access_type, disabled, metadata, created_at, updated_at)
    overriding system value
    select api_key, organization_key, ${keyOf(newDocumentId)}::uuid, ${newDocumentId}, seq, name, folder_key, access_type,
      disabled, metadata, created_at, now_ms()
    from document
    where api_key = ${apiKey} and organization_key = ${organizationKey} and key = ${keyOf(documentId)}
    on conflict (api_key, organization_key, key) do nothing
    returning key`)
  return copies.length > 0
}
