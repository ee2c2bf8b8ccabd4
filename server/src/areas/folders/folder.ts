import { metadataOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { changesFields, keepsFields } from '../../platform/record-size.ts'
import { identifier, nullable, Type } from '../../platform/schema.ts'
import type { MayCreate } from '../organizations/organization.ts'
import { accessTypeOfNew } from '../workspaces/setting/api-key-options.ts'
import { AccessType } from './access-type.ts'

/** The parent id of top-level folders. No folder can have this id. */
export const ROOT = 'root'

/** The deepest level of a folder; a top-level folder is at level 1. */
export const MAX_LEVEL = 100

const READ_ONLY = [
  'organizationId',
  'apiKey',
  'createdAt',
  'lastUpdated',
  'ancestors',
  'inheritAccessFromParent',
  'subFolders',
]

/** A folder as callers send it. */
export const FolderInput = Type.Object(
  {
    folderId: identifier('Your id of the folder.'),
    folderName: Type.Optional(Type.String({ description: 'Its name.' })),
    parentFolderId: Type.Optional(identifier(`The folder that it is in; \`${ROOT}\`: none.`)),
    accessType: Type.Optional(AccessType),
  },
  keepsFields(READ_ONLY),
)

/** A change of a folder; null clears. */
export const FolderChange = Type.Object(
  {
    ...FolderInput.properties,
    folderName: Type.Optional(nullable(Type.String({ description: 'Its name; null clears it.' }))),
  },
  changesFields(READ_ONLY),
)

/** The custom metadata of a sent folder: every field that is not a fixed field of its record. */
export const folderMetadata = (folder: object) =>
  metadataOf(folder, ['folderId', 'folderName', 'parentFolderId', 'accessType', ...READ_ONLY])

/** The error for a folder that does not exist. */
export const missingFolder = (folderId: string, hint = '') =>
  new ApiError('NOT_FOUND', `There is no folder ${folderId} in the organization.${hint}`)

/** How a caller whose call may create the folder gets one. */
const HINT = ' Add it with folders/add, or send createFolder: true.'

/** For reads: NOT_FOUND, naming it, for a folder that does not exist. It takes no lock. */
export async function requireFolder(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  folderId: string,
): Promise<void> {
  const [found] = await db.query(sql`
    select key
    from folder
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = ${keyOf(folderId)}`)
  if (!found) throw missingFolder(folderId)
}

/**
 * For writes: the folder, locked against deletion until the transaction ends. One that does not exist is created at the
 * top level if `create` allows it, else NOT_FOUND.
 */
export async function ensureFolder(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { folderId, create, mayAsk }: MayCreate & { folderId: string },
): Promise<{ key: string }> {
  const key = keyOf(folderId)
  const [found] = await db.query<{ key: string }>(sql`
    select key
    from folder
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = ${key}
    for key share`)
  if (found) return found
  if (!create) throw missingFolder(folderId, mayAsk && HINT)
  if (folderId === ROOT) throw invalidField('folderId', `must not be ${ROOT}, which stands for the top level`)
  // A concurrent call that changes the tree has already read which folders exist, so it must end first.
  await db.query(sql`
    select from organization where api_key = ${tenant.apiKey} and key = ${organizationKey} for no key update`)
  await db.query(sql`
    insert into folder (api_key, organization_key, key, id, access_type)
    values (${tenant.apiKey}, ${organizationKey}, ${key}, ${folderId}, ${accessTypeOfNew(tenant.apiKey)})
    on conflict (api_key, organization_key, key) do update set id = excluded.id`)
  return { key }
}
