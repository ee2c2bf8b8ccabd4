import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { GrantedPermissions, grantResources, organizationNamed } from './resource.ts'

/** Gives a user access to organizations, folders and documents, for good or until a time. */
export const addPermissions = operation({
  path: '/v2/auth/permissions/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Give a user access to resources',
  description:
    'All resources must exist; a user that does not is added. Access for good is never shortened by access that ends.',
  input: Type.Object({
    user: Type.Object({ userId: identifier('Id of the user.') }),
    permissions: GrantedPermissions,
  }),
  example: {
    user: { userId: 'iris' },
    permissions: { resources: [{ type: 'document', id: 'poster', organizationId: 'example', accessRole: 'viewer' }] },
  },
  output: null,
  errors: ['NOT_FOUND'],
  message: 'Permissions added successfully.',
  check: (input) => organizationNamed(input),
}).run(async ({ db, tenant, input }) => {
  await grantResources(db, tenant, { userId: input.user.userId }, input.permissions.resources)
})
