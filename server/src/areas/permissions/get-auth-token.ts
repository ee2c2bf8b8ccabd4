import { ApiError, invalidField } from '../../platform/errors.ts'
import type { Context } from '../../platform/operation.ts'
import { operation } from '../../platform/operation.ts'
import { email, identifier, type Static, Type } from '../../platform/schema.ts'
import { authenticateApiKey } from '../workspaces/authenticator.ts'
import { issueUserToken, UserToken } from './user-token.ts'

const Input = Type.Object({
  apiKey: Type.Optional(Type.String({ minLength: 1, description: 'The API key; default: the header.' })),
  authToken: Type.Optional(
    Type.String({ minLength: 1, description: 'The auth token of that key; default: the header.' }),
  ),
  userId: identifier('Id of the user.'),
  userProperties: Type.Optional(
    Type.Object({
      organizationId: identifier('The organization that the user signs in to.'),
      isAdmin: Type.Optional(Type.Boolean({ description: 'Whether the user is an administrator.' })),
      email: Type.Optional(email('Address of the user.')),
    }),
  ),
})

/** Issues a token to a user. The credentials of the API key are in the body or in the headers. */
export const getAuthToken = operation({
  path: '/v2/auth/token/get',
  twin: '/v1/auth/token/get',
  auth: 'none',
  access: 'write',
  summary: 'Issue a token to a user',
  description:
    'For backends only. `apiKey` and `authToken` in the body are checked as the headers would be. Each may be left out ' +
    'where its header is sent; where both are given, they must be equal. Whoever checks the token must check `aud`: it ' +
    'is the API key, because one signing key serves every API key.',
  input: Input,
  example: {
    apiKey: 'aBcDeFgHiJkLmNoPqRsT',
    authToken: 'the auth token of the API key',
    userId: 'iris',
    userProperties: { organizationId: 'example' },
  },
  output: UserToken,
  errors: ['PERMISSION_DENIED'],
  message: 'Token generated successfully.',
}).run(async (context) => {
  const { db, secrets, input } = context
  const credentials = { apiKey: credential(context, 'apiKey'), authToken: credential(context, 'authToken') }
  const tenant = await authenticateApiKey(db, secrets, credentials)
  const { organizationId, isAdmin, email } = input.userProperties ?? {}
  return issueUserToken(context, tenant, { userId: input.userId, organizationId, isAdmin, email })
})

const HEADERS = { apiKey: 'api-key', authToken: 'auth-token' } as const

/** A credential from the body or else from its header; PERMISSION_DENIED where the two differ. */
function credential(
  { input, request: { credentials } }: Context<'none', 'write', Static<typeof Input>>,
  field: keyof typeof HEADERS,
): string {
  const sent = credentials.header(HEADERS[field])
  const value = input[field] ?? sent
  if (value === undefined) {
    throw invalidField(field, `is required, here or as the header ${credentials.nameOf(HEADERS[field])}`)
  }
  if (sent !== undefined && sent !== value) {
    throw new ApiError('PERMISSION_DENIED', `${field} differs from the header ${credentials.nameOf(HEADERS[field])}.`)
  }
  return value
}
