import { operation } from '../../platform/operation.ts'
import { email, identifier, personName, Type } from '../../platform/schema.ts'
import { GrantedPermissions, grantResources, organizationNamed } from './resource.ts'
import { issueUserToken, UserToken } from './user-token.ts'

/** Adds or updates a user with its access, and issues a token to it. */
export const generateToken = operation({
  path: '/v2/auth/generate_token',
  auth: 'apiKey',
  access: 'write',
  summary: 'Issue a token to a user and give it access',
  description: 'Whoever checks the token must check `aud`: it is the API key.',
  input: Type.Object({
    userId: identifier('Id of the user.'),
    userProperties: Type.Object({
      name: personName('Name of the user.'),
      email: Type.Optional(email('Address of the user.')),
      isAdmin: Type.Optional(Type.Boolean({ description: 'Whether the user is an administrator.' })),
    }),
    permissions: GrantedPermissions,
  }),
  example: {
    userId: 'iris',
    userProperties: { name: 'Iris Holm' },
    permissions: { resources: [{ type: 'organization', id: 'example' }] },
  },
  output: UserToken,
  errors: ['NOT_FOUND'],
  message: 'Token generated successfully.',
  check: (input) => organizationNamed(input),
}).run(async (context) => {
  const { db, tenant, input } = context
  const { name, email, isAdmin } = input.userProperties
  const { userId } = input
  const more = isAdmin === undefined ? {} : { isAdmin }
  await grantResources(db, tenant, { userId, name, email, more }, input.permissions.resources)
  return issueUserToken(context, tenant, { userId, name, email, isAdmin })
})
