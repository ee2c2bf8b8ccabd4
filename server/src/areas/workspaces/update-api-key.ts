import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { requireApiKey } from './api-key.ts'

/** Renames an API key of the workspace. */
export const updateApiKey = operation({
  path: '/v2/workspace/apikey/update',
  auth: 'workspace',
  access: 'write',
  summary: 'Rename an API key',
  input: Type.Object({
    apiKey: identifier('The API key.'),
    apiKeyName: Type.String({ minLength: 1, maxLength: 200, description: 'Its new name.' }),
  }),
  output: Type.Null(),
  errors: ['NOT_FOUND'],
  message: 'API key updated successfully.',
}).run(async ({ db, tenant, input }) => {
  await requireApiKey(db, tenant, input.apiKey)
  await db.query(sql`update api_key set name = ${input.apiKeyName} where id = ${input.apiKey}`)
  return null
})
