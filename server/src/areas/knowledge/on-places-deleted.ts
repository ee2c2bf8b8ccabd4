import { sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { documentMigrated, documentsDeleted } from '../documents/document-event.ts'
import {
  type OrganizationDeleted,
  organizationsDeleted,
  organizationsRetired,
} from '../organizations/organization-event.ts'

/** Deletes the knowledge of deleted organizations. */
export const deleteKnowledgeOfOrganizations = on(organizationsDeleted, deleteAllOf)

/** The same for retired ones. */
export const deleteKnowledgeOfRetired = on(organizationsRetired, deleteAllOf)

async function deleteAllOf({ db, tenant }: ChangeContext, organizations: OrganizationDeleted[]): Promise<void> {
  await db.query(sql`
    delete from knowledge_source
    where api_key = ${tenant.apiKey}
      and organization_key = any(${organizations.map(({ organizationKey }) => organizationKey)}::uuid[])`)
}

/** Deletes the knowledge of deleted documents. */
export const deleteKnowledgeOfDocuments = on(documentsDeleted, async ({ db, tenant }, documents) => {
  await db.query(sql`
    delete from knowledge_source
    where api_key = ${tenant.apiKey} and (organization_key, document_key) in (
      select *
      from unnest(
        ${documents.map(({ organizationKey }) => organizationKey)}::uuid[],
        ${documents.map(({ documentKey }) => documentKey)}::uuid[]))`)
})

/** Moves the knowledge of a document to its new id. */
export const moveKnowledgeOfDocument = on(documentMigrated, async ({ db, tenant }, documents) => {
  for (const { organizationKey, oldKey, newKey } of documents) {
    await db.query(sql`
      update knowledge_source
      set document_key = ${newKey}::uuid
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}::uuid and document_key = ${oldKey}::uuid`)
  }
})
