import { operation } from '../../platform/operation.ts'
import { email, identifier, Type } from '../../platform/schema.ts'
import { authenticateApiKey } from '../workspaces/authenticator.ts'
import { issueUserToken, UserToken } from './user-token.ts'

/** Issues a token to a user; the credentials of the API key are in the body. */
export const getAuthToken = operation({
  path: '/v2/auth/token/get',
  twin: '/v1/auth/token/get',
  auth: 'none',
  access: 'write',
  summary: 'Issue a token to a user',
  description: 'For backends only. No headers are needed: `apiKey` and `authToken` are checked as headers would be.',
  input: Type.Object({
    apiKey: Type.String({ minLength: 1, description: 'The API key.' }),
    authToken: Type.String({ minLength: 1, description: 'The auth token of that key.' }),
    userId: identifier('Id of the user.'),
    userProperties: Type.Object({
      organizationId: identifier('The organization that the user signs in to.'),
      isAdmin: Type.Optional(Type.Boolean({ description: 'Whether the user is an administrator.' })),
      email: Type.Optional(email('Address of the user.')),
    }),
  }),
  output: UserToken,
  errors: ['PERMISSION_DENIED'],
  message: 'Token generated successfully.',
}).run(async (context) => {
  const { db, secrets, input } = context
  const tenant = await authenticateApiKey(db, secrets, input)
  return issueUserToken(context, tenant, { userId: input.userId, ...input.userProperties })
})
