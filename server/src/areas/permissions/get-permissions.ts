import { together } from '../../platform/db/db.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, mapOf, Type } from '../../platform/schema.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { decide } from './access/access.ts'
import { accessFieldsOf } from './access/access-fields.ts'
import { resourceKeyOf } from './access/resource-key.ts'
import { grantedPairs, MAX_PAIRS, type Pair, permissionsOf, UserPermissions } from './permission-entry.ts'

/** Returns the access of users to an organization, its folders and its documents. */
export const getPermissions = operation({
  path: '/v2/auth/permissions/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the permissions of users',
  description:
    'Without `folderIds` and `documentIds`: everything in the organization that the users were given access to. An ' +
    'entry holds the effective role and access type, or an error where the user has no access; access that has expired ' +
    `is no access. One call answers at most ${MAX_PAIRS} pairs of a user and a resource.`,
  input: Type.Object({
    organizationId: identifier('The organization.'),
    userIds: Type.Array(identifier('Id of a user.')),
    folderIds: Type.Optional(Type.Array(identifier('Id of a folder.'))),
    documentIds: Type.Optional(Type.Array(identifier('Id of a document.'))),
    skipResourceExistenceValidation: Type.Optional(
      Type.Boolean({ description: 'True: what does not exist is an error in its entry, not of the call.' }),
    ),
  }),
  example: { organizationId: 'example', userIds: ['owen', 'iris'], documentIds: ['poster'] },
  output: mapOf(UserPermissions, 'Permissions by user id.'),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'User permissions retrieved successfully.',
}).run(async ({ db, tenant, input }) => {
  const { organizationId, folderIds, documentIds } = input
  const key = organizationKeyOf(tenant, organizationId)
  const userIds = [...new Set(input.userIds)]
  const named = [
    { type: 'organization' as const, id: organizationId },
    ...[...new Set(folderIds)].map((id) => ({ type: 'folder' as const, id })),
    ...[...new Set(documentIds)].map((id) => ({ type: 'document' as const, id })),
  ]
  if (userIds.length * named.length > MAX_PAIRS) {
    throw invalidField('userIds', `must not make more than ${MAX_PAIRS} pairs with the folders and documents`)
  }
  const pairs: Pair[] = userIds.flatMap((userId) => named.map((resource) => ({ userId, ...resource })))
  const [, granted] = await together([
    requireOrganization(db, tenant, organizationId),
    folderIds || documentIds ? Promise.resolve([]) : grantedPairs(db, tenant, key, userIds),
  ])
  pairs.push(...granted)
  const checks = pairs.map(({ userId, type, id }) => ({
    userKey: keyOf(userId),
    type,
    key: resourceKeyOf(tenant, type, id),
    action: 'view' as const,
  }))
  const [decisions, fields] = await Promise.all([
    decide(db, tenant, key, checks, { evenDisabled: true }),
    accessFieldsOf(db, tenant, key, userIds),
  ])
  const data = permissionsOf(userIds, pairs, decisions, fields)
  const missing = decisions.some(({ reason }) => reason === 'unknown_resource')
  if (missing && !input.skipResourceExistenceValidation) {
    throw new ApiError('NOT_FOUND', 'Folder or document does not exist', { details: data })
  }
  return data
})
