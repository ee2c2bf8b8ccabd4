import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { documentsDeleted } from '../documents/document-event.ts'
import { foldersDeleted } from '../folders/folder-event.ts'
import type { ResourceType } from './access/grant.ts'
import { endGrants } from './end-grants.ts'

/** Deletes grants with their document, so that a later document with the same id starts without any. */
export const dropDocumentGrants = on(documentsDeleted, ({ db, tenant }, documents) =>
  dropGrants(
    db,
    tenant,
    'document',
    documents.map(({ organizationKey, documentKey }) => [organizationKey, documentKey]),
  ),
)

/** Deletes grants with their folder. */
export const dropFolderGrants = on(foldersDeleted, ({ db, tenant }, folders) =>
  dropGrants(
    db,
    tenant,
    'folder',
    folders.map(({ organizationKey, folderKey }) => [organizationKey, folderKey]),
  ),
)

async function dropGrants(
  db: Db,
  tenant: ApiKeyTenant,
  type: ResourceType,
  resources: [organizationKey: string, resourceKey: string][],
): Promise<void> {
  await endGrants(
    db,
    tenant,
    sql`(g.organization_key, g.resource_key) in (
      select *
      from unnest(
        ${resources.map(([organizationKey]) => organizationKey)}::uuid[],
        ${resources.map(([, resourceKey]) => resourceKey)}::uuid[]
      )
    ) and g.resource_type = ${type}`,
  )
}
