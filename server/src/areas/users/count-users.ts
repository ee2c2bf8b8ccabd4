import { together } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { levelFields, levelOf, oneLevel, requireLevel } from './level.ts'
import { countUsersAt } from './list-users.ts'

/** Counts the users that `users/get` lists at the same level: the organization, a document or a folder. */
export const countUsers = operation({
  path: '/v2/users/count',
  auth: 'apiKey',
  access: 'read',
  summary: 'Count users of an organization, a document or a folder',
  description: 'Without `documentId` and `folderId`: the contact list. Access that has expired does not count.',
  input: Type.Object(levelFields),
  example: { organizationId: 'example' },
  output: Type.Object({ count: Type.Integer() }),
  errors: ['NOT_FOUND'],
  message: 'User count retrieved successfully.',
  check: oneLevel,
}).run(async ({ db, tenant, input }) => {
  const [, count] = await together([requireLevel(db, tenant, input), countUsersAt(db, tenant, levelOf(tenant, input))])
  return { count }
})
