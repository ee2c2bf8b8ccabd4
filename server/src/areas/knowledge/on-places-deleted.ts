import { sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { documentsDeleted } from '../documents/document-event.ts'
import { movesWithDocument } from '../documents/moves-with-document.ts'
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
export const moveKnowledgeOfDocument = movesWithDocument('knowledge_source')
