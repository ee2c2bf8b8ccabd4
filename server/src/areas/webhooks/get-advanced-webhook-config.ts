import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { AdvancedConfig, readAdvancedConfig } from './endpoint/advanced-config.ts'

/** Returns the advanced webhook config, with defaults for fields that were never set. */
export const getAdvancedWebhookConfig = operation({
  path: '/v2/workspace/advancedwebhookconfig/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the advanced webhook configuration',
  input: Type.Object({}),
  example: {},
  output: AdvancedConfig,
  errors: [],
  message: 'Advanced webhook configuration retrieved successfully.',
}).run(async ({ db, tenant, secrets }) => {
  const { config } = await readAdvancedConfig(db, tenant, secrets)
  return config
})
