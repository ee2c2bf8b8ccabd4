import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, together } from '../../platform/db/db.ts'
import type { Issue } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { requireDocument } from '../documents/document.ts'
import { requireFolder } from '../folders/folder.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import type { Grant } from '../permissions/access/grant.ts'

/** Where users are added, listed or removed: a document, else a folder, else the organization. */
export type Level = Pick<Grant, 'organizationKey' | 'resourceType' | 'resourceKey'>

/** The fields that name a level. */
export const levelFields = {
  organizationId: identifier('The organization.'),
  documentId: Type.Optional(identifier('The level is this document.')),
  folderId: Type.Optional(identifier('The level is this folder. Not together with `documentId`.')),
}

/** A level as a call names it. */
export interface LevelFields {
  organizationId: string
  documentId?: string | undefined
  folderId?: string | undefined
}

/** A call names a document or a folder, not both. */
export function oneLevel({ documentId, folderId }: LevelFields): Issue[] {
  const both = documentId !== undefined && folderId !== undefined
  return both ? [{ path: 'folderId', message: 'must not be given together with documentId' }] : []
}

/** The level that the fields name, whether or not it exists. */
export function levelOf(tenant: ApiKeyTenant, { organizationId, documentId, folderId }: LevelFields): Level {
  const organizationKey = organizationKeyOf(tenant, organizationId)
  if (documentId !== undefined) return { organizationKey, resourceType: 'document', resourceKey: keyOf(documentId) }
  if (folderId !== undefined) return { organizationKey, resourceType: 'folder', resourceKey: keyOf(folderId) }
  return { organizationKey, resourceType: 'organization', resourceKey: organizationKey }
}

/** NOT_FOUND, naming it, if a part of the level does not exist. It takes no lock. */
export async function requireLevel(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationId, documentId, folderId }: LevelFields,
): Promise<void> {
  const organizationKey = organizationKeyOf(tenant, organizationId)
  await together([
    requireOrganization(db, tenant, organizationId),
    ...(documentId === undefined ? [] : [requireDocument(db, tenant, organizationKey, documentId)]),
    ...(folderId === undefined ? [] : [requireFolder(db, tenant, organizationKey, folderId)]),
  ])
}
