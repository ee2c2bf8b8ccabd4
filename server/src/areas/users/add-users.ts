import type { ApiKeyTenant } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { hexId, keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { ensureDocument } from '../documents/document.ts'
import { ensureFolder } from '../folders/folder.ts'
import { lastById, resultsOf } from '../organizations/bulk.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { writeGrants } from '../permissions/grant.ts'
import { type Level, levelFields, levelOf, oneLevel } from './level.ts'
import { UserInput, upsertUsers } from './user.ts'

const Input = Type.Object({
  ...levelFields,
  users: Type.Array(UserInput),
  createOrganization: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether to create the organization if it does not exist.' }),
  ),
  createDocument: Type.Optional(Type.Boolean({ description: 'Whether to create the document if it does not exist.' })),
  createFolder: Type.Optional(Type.Boolean({ description: 'Whether to create the folder if it does not exist.' })),
})

/** Adds users to one level, and updates those that exist. */
export const addUsers = operation({
  path: '/v2/users/add',
  twin: '/v1/users/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add users to an organization, a document or a folder',
  description:
    'With `documentId` users get access to that document only, with `folderId` to all documents in that folder, with ' +
    'neither to all documents of the organization except restricted ones. A user that exists is updated; fields that ' +
    'are left out stay as they are.',
  input: Input,
  output: mapOf(
    itemResult({ id: Type.String({ description: 'A stable id of the user, 32 hex digits.' }) }),
    'One result per user id.',
  ),
  errors: ['NOT_FOUND'],
  message: 'User(s) processed successfully.',
  check: oneLevel,
}).run(async ({ db, tenant, input }) => {
  const users = lastById(input.users, (user) => user.userId)
  const level = await ensureLevel(db, tenant, input)
  const list = [...users.values()]
  await Promise.all([
    upsertUsers(db, tenant, list),
    writeGrants(
      db,
      tenant,
      list.map(({ userId, accessRole }) => ({
        ...level,
        userKey: keyOf(userId),
        role: accessRole ?? null,
        expiresAt: null,
      })),
    ),
  ])
  return resultsOf(users.keys(), (userId) => ({
    success: true,
    id: hexId('user', tenant.apiKey, userId),
    message: 'User added.',
  }))
})

/** The level, held by this transaction; what is missing is created as far as the call allows. */
async function ensureLevel(db: Db, tenant: ApiKeyTenant, input: Static<typeof Input>): Promise<Level> {
  const { organizationId, documentId, folderId } = input
  const { key } = await ensureOrganization(db, tenant, organizationId, input.createOrganization ?? true)
  if (documentId !== undefined) {
    await ensureDocument(db, tenant, key, documentId, { create: input.createDocument ?? false })
  }
  if (folderId !== undefined) await ensureFolder(db, tenant, key, folderId, input.createFolder ?? false)
  return levelOf(input)
}
