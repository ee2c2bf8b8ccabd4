import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { WebhookServiceConfig, webhookService } from '../workspaces/setting/webhook-service.ts'

/** Returns the basic webhook config, with defaults for fields that were never set. */
export const getWebhookConfig = operation({
  path: '/v2/workspace/webhookconfig/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the basic webhook configuration',
  input: Type.Object({}),
  example: {},
  output: Type.Object({ useWebhookService: Type.Boolean(), webhookServiceConfig: WebhookServiceConfig }),
  errors: [],
  message: 'Webhook configuration retrieved successfully.',
}).run(async ({ db, tenant, secrets }) => {
  const { isOn, config } = await readService(db, tenant, secrets, webhookService)
  return { useWebhookService: isOn, webhookServiceConfig: config }
})
