import { sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { apiKeyState, requireApiKey } from './api-key.ts'
import { deleteApiKeyBatch } from './delete-api-key.job.ts'

/** Deletes a disabled API key. It is gone at once; a job removes all its data. */
export const deleteApiKey = operation({
  path: '/v2/workspace/apikey/delete',
  auth: 'workspace',
  access: 'write',
  administers: apiKeyState,
  summary: 'Delete an API key with all its data',
  description: 'The key must be disabled. It cannot be restored. Its data is removed in the background.',
  input: Type.Object({ apiKey: identifier('The API key.') }),
  example: { apiKey: 'aBcDeFgHiJkLmNoPqRsT' },
  output: Type.Null(),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'API key deletion has been initiated.',
  successStatus: 202,
}).run(async ({ db, tenant, input: { apiKey }, effectsOf }) => {
  await requireApiKey(db, tenant, apiKey)
  const [deleted] = await db.query(sql`
    update api_key set deleting = true where id = ${apiKey} and disabled and not deleting returning id`)
  if (!deleted) throw new ApiError('FAILED_PRECONDITION', 'Disable the API key before you delete it.')
  await effectsOf(apiKey).enqueue(deleteApiKeyBatch, [{ position: 0, found: false }])
  return null
})
