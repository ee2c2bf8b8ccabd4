import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { Options, readOptions } from './setting/api-key-options.ts'
import { MaskedModelKeys, readMaskedModelKeys } from './setting/model-key.ts'

/** Returns the options of the API key, and its type. */
export const getApiKeyConfig = operation({
  path: '/v2/workspace/apikeyconfig/get',
  twin: '/v2/workspace/apikeymetadata/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the options of the API key',
  input: Type.Object({}),
  example: {},
  output: Type.Object({
    ownerEmail: Type.String(),
    planInfo: Type.Object({
      type: Type.String({ description: '`sdk test` or `sdk production`, by the type of the key.' }),
    }),
    ...Options.properties,
    aiModelsConfig: Type.Optional(MaskedModelKeys),
  }),
  errors: [],
  message: 'API key metadata retrieved successfully.',
}).run(async ({ db, tenant, secrets }) => {
  const [options, modelKeys, [key]] = await Promise.all([
    readOptions(db, tenant, secrets),
    readMaskedModelKeys(db, tenant, secrets),
    db.query<{ owner_email: string; type: string }>(
      sql`select owner_email, type from api_key where id = ${tenant.apiKey}`,
    ),
  ])
  const plan = key?.type === 'production' ? 'sdk production' : 'sdk test'
  return {
    ownerEmail: key?.owner_email ?? '',
    planInfo: { type: plan },
    ...options,
    ...(Object.keys(modelKeys).length > 0 && { aiModelsConfig: modelKeys }),
  }
})
