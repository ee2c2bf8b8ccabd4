import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, together } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { ROOT, requireFolder } from '../folders/folder.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'

/** Where documents are: in the organization, directly in a folder (null: in none), or, if undefined, anywhere. */
export interface DocumentPlace {
  organizationKey: string
  folderKey: string | null | undefined
}

/** A place as a call names it. */
interface PlaceFields {
  organizationId: string
  folderId?: string | undefined
}

/** The place that a call names, whether or not it exists. */
export function documentPlaceOf(tenant: ApiKeyTenant, { organizationId, folderId }: PlaceFields): DocumentPlace {
  const organizationKey = organizationKeyOf(tenant, organizationId)
  if (folderId === undefined) return { organizationKey, folderKey: undefined }
  return { organizationKey, folderKey: folderId === ROOT ? null : keyOf(folderId) }
}

/** NOT_FOUND, naming it, if the organization or the folder that a call names does not exist. It takes no lock. */
export async function requireDocumentPlace(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationId, folderId }: PlaceFields,
): Promise<void> {
  const organizationKey = organizationKeyOf(tenant, organizationId)
  await together([
    requireOrganization(db, tenant, organizationId),
    ...(folderId === undefined || folderId === ROOT ? [] : [requireFolder(db, tenant, organizationKey, folderId)]),
  ])
}
