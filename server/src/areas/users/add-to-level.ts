import { lastById, resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/db.ts'
import { meanwhile } from '../../platform/db/meanwhile.ts'
import { hexId, keyOf } from '../../platform/id.ts'
import { itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { ensureDocument } from '../documents/document.ts'
import { ensureFolder } from '../folders/folder.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { type Grant, writeGrants } from '../permissions/access/grant.ts'
import { type Level, levelFields, levelOf } from './level.ts'
import { type UserInput, upsertUsers } from './user.ts'

/** The level that users are added to, and which of its parts may be created. */
export const Destination = Type.Object({
  ...levelFields,
  createOrganization: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether to create the organization if it does not exist.' }),
  ),
  createDocument: Type.Optional(Type.Boolean({ description: 'Whether to create the document if it does not exist.' })),
  createFolder: Type.Optional(Type.Boolean({ description: 'Whether to create the folder if it does not exist.' })),
})
type Destination = Static<typeof Destination>

/** One result per user. */
export const AddedUsers = mapOf(
  itemResult({ id: Type.String({ description: 'A stable id of the user, 32 hex digits.' }) }),
  'One result per user id.',
)

/** Adds users to a level, and updates those that exist. NOT_FOUND for a missing level; then nothing is written. */
export async function addToLevel(
  db: Transaction,
  tenant: ApiKeyTenant,
  destination: Destination,
  sent: UserInput[],
): Promise<Static<typeof AddedUsers>> {
  const users = lastById(sent, (user) => user.userId)
  const { organizationKey, resourceType, resourceKey } = await ensureLevel(db, tenant, destination)
  const list = [...users.values()]
  const toGrant = ({ userId, accessRole, accessFields }: UserInput): Grant => ({
    organizationKey,
    resourceType,
    resourceKey,
    userKey: keyOf(userId),
    role: accessRole ?? null,
    expiresAt: null,
    accessFields: accessFields ?? null,
  })
  const toResult = (userId: string) => ({
    success: true,
    id: hexId('user', tenant.apiKey, userId),
    message: 'User added.',
  })
  upsertUsers(db, tenant, list)
  await meanwhile(list, () => writeGrants(db, tenant, list.map(toGrant)))
  return meanwhile(list, () => resultsOf(users.keys(), toResult))
}

/** The level, locked by this transaction. Missing parts are created as far as the call allows. */
async function ensureLevel(db: Db, tenant: ApiKeyTenant, destination: Destination): Promise<Level> {
  const { organizationId, documentId, folderId } = destination
  const { createOrganization = true, createDocument = false, createFolder = false } = destination
  const { key } = await ensureOrganization(db, tenant, organizationId, { create: createOrganization, mayAsk: true })
  if (documentId !== undefined)
    await ensureDocument(db, tenant, key, { documentId, create: createDocument, mayAsk: true })
  if (folderId !== undefined) await ensureFolder(db, tenant, key, { folderId, create: createFolder, mayAsk: true })
  return levelOf(tenant, destination)
}
