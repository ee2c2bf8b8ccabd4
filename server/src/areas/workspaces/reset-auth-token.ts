import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { AuthToken, replaceAuthToken, requireApiKey } from './api-key.ts'

/** Replaces the auth token of an API key; the old one stops working at once. */
export const resetAuthToken = operation({
  path: '/v2/workspace/authtoken/reset',
  auth: 'workspace',
  access: 'write',
  summary: 'Reset the auth token of an API key',
  input: Type.Object({ apiKey: identifier('The API key.') }),
  output: Type.Object({ apiKey: Type.String(), newAuthToken: AuthToken }),
  errors: ['NOT_FOUND'],
  message: 'Auth token reset successfully.',
}).run(async ({ db, tenant, input: { apiKey }, secrets }) => {
  await requireApiKey(db, tenant, apiKey)
  return { apiKey, newAuthToken: await replaceAuthToken(db, secrets, apiKey) }
})
