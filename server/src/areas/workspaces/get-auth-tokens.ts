import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { AuthToken, authTokenContext, requireApiKey } from './api-key.ts'

/** The auth tokens of an API key of the workspace. */
export const getAuthTokens = operation({
  path: '/v2/workspace/authtokens/get',
  auth: 'workspace',
  access: 'read',
  administers: true,
  summary: 'Get the auth tokens of an API key',
  input: Type.Object({ apiKey: identifier('The API key.') }),
  example: { apiKey: 'aBcDeFgHiJkLmNoPqRsT' },
  output: Type.Object({ apiKey: Type.String(), authTokens: Type.Array(AuthToken) }),
  errors: ['NOT_FOUND'],
  message: 'Auth tokens retrieved successfully.',
}).run(async ({ db, tenant, input: { apiKey }, secrets }) => {
  await requireApiKey(db, tenant, apiKey)
  const rows = await db.query<{ name: string; sealed: string }>(sql`
    select name, sealed from auth_token where api_key = ${apiKey} order by name`)
  const authTokens = rows.map(({ name, sealed }) => ({
    token: secrets.open(sealed, authTokenContext(apiKey)),
    name,
    domains: [],
  }))
  return { apiKey, authTokens }
})
