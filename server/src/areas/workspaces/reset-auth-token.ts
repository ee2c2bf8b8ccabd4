import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { AuthToken, replaceAuthToken, requireApiKey } from './api-key.ts'
import { replaceWorkspaceToken } from './workspace.ts'

/** Replaces the auth token of an API key, or that of the workspace; the old one stops working at once. */
export const resetAuthToken = operation({
  path: '/v2/workspace/authtoken/reset',
  auth: 'workspace',
  access: 'write',
  administers: true,
  summary: 'Reset the auth token of an API key or of the workspace',
  input: Type.Object({
    apiKey: Type.Optional(identifier('The API key whose token is reset.')),
    workspace: Type.Optional(Type.Literal(true, { description: "Resets the workspace's own token instead." })),
  }),
  example: { apiKey: 'aBcDeFgHiJkLmNoPqRsT' },
  output: Type.Union([
    Type.Object({ apiKey: Type.String(), newAuthToken: AuthToken }),
    Type.Object({ workspaceId: Type.String(), newAuthToken: Type.Pick(AuthToken, ['token']) }),
  ]),
  errors: ['NOT_FOUND'],
  message: 'Auth token reset successfully.',
  check: ({ apiKey, workspace }) =>
    (apiKey === undefined) === (workspace === undefined)
      ? [{ path: 'apiKey', message: 'or workspace is required, and only one of them' }]
      : [],
}).run(async ({ db, tenant, input: { apiKey }, secrets }) => {
  const { workspaceId } = tenant
  if (apiKey === undefined)
    return { workspaceId, newAuthToken: { token: await replaceWorkspaceToken(db, secrets, workspaceId) } }
  await requireApiKey(db, tenant, apiKey)
  return { apiKey, newAuthToken: await replaceAuthToken(db, secrets, apiKey) }
})
