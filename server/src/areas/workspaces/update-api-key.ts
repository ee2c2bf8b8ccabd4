import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, REFUSES_NULL, requiredText, Type } from '../../platform/schema.ts'
import { apiKeyState, requireApiKey } from './api-key.ts'

/** Renames, disables or enables an API key of the workspace. A disabled key is refused at once; its data stays. */
export const updateApiKey = operation({
  path: '/v2/workspace/apikey/update',
  auth: 'workspace',
  access: 'write',
  administers: apiKeyState,
  summary: 'Rename, disable or enable an API key',
  input: Type.Object(
    {
      apiKey: identifier('The API key.'),
      apiKeyName: Type.Optional(requiredText('Its new name.', 200)),
      disabled: Type.Optional(
        Type.Boolean({ description: 'True: calls with the key are PERMISSION_DENIED; false: they work again.' }),
      ),
    },
    REFUSES_NULL,
  ),
  example: { apiKey: 'aBcDeFgHiJkLmNoPqRsT', disabled: true },
  output: Type.Null(),
  errors: ['NOT_FOUND'],
  message: 'API key updated successfully.',
  check: ({ apiKeyName, disabled }) =>
    apiKeyName === undefined && disabled === undefined
      ? [{ path: 'apiKeyName', message: 'or disabled is required' }]
      : [],
}).run(async ({ db, tenant, input: { apiKey, apiKeyName = null, disabled = null } }) => {
  await requireApiKey(db, tenant, apiKey)
  await db.query(sql`
    update api_key
    set name = coalesce(${apiKeyName}, name), disabled = coalesce(${disabled}, disabled)
    where id = ${apiKey}`)
  return null
})
