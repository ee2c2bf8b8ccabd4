import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { foldersDeleted } from '../folders/folder-event.ts'
import { lockRows } from '../organizations/lock-rows.ts'
import { documentsDeleted } from './document-event.ts'

/** Announces the documents that are deleted with their folders, so that each area can delete what it holds of them. */
export const announceDocumentsOfFolders = on(foldersDeleted, async ({ db, tenant, emit }, folders) => {
  const [first] = folders
  if (!first) return
  const { organizationKey, organizationId } = first
  const inFolders = sql`
    unnest(${folders.map(({ folderKey }) => folderKey)}::uuid[]) as f (key)
    cross join lateral (
      select d.key
      from document d
      where d.api_key = ${tenant.apiKey} and d.organization_key = ${organizationKey} and d.folder_key = f.key
      offset 0
    ) as d (k)`
  const rows = await db.query<{ key: string; id: string }>(
    lockRows('document', 'for update', { apiKey: tenant.apiKey, organizationKey, keys: inFolders }),
  )
  await emit(
    documentsDeleted,
    rows.map(({ key, id }) => ({ organizationKey, organizationId, documentKey: key, documentId: id })),
  )
})
