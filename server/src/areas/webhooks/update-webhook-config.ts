import { invalidField, oneGivenIssues } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { REFUSES_NULL, Type } from '../../platform/schema.ts'
import { updateService } from '../workspaces/setting/service-config.ts'
import { settingState } from '../workspaces/setting/setting.ts'
import {
  assertUrlsAllowed,
  WebhookServiceChange,
  WebhookServiceConfig,
  webhookService,
} from '../workspaces/setting/webhook-service.ts'
import { applyBasicConfig } from './basic-endpoint.ts'
import { PUBLIC_KEY_RULE, readPublicKey } from './endpoint/public-key.ts'

/** Changes where and how basic webhooks are sent, and returns the whole config. */
export const updateWebhookConfig = operation({
  path: '/v2/workspace/webhookconfig/update',
  auth: 'apiKey',
  access: 'write',
  administers: settingState(webhookService.name),
  summary: 'Update the basic webhook configuration',
  input: Type.Object(
    {
      useWebhookService: Type.Optional(Type.Boolean({ description: 'Switches the service on or off.' })),
      webhookServiceConfig: Type.Optional(WebhookServiceChange),
    },
    REFUSES_NULL,
  ),
  example: {
    useWebhookService: true,
    webhookServiceConfig: { rawNotificationUrl: 'https://app.example.com/webhooks/basic' },
  },
  output: Type.Object({ useWebhookService: Type.Boolean(), webhookServiceConfig: WebhookServiceConfig }),
  errors: [],
  message: 'Webhook configuration updated successfully.',
  check: (input) => oneGivenIssues(input, ['useWebhookService', 'webhookServiceConfig']),
}).run(async (context) => {
  const { db, tenant, input, outbound, secrets } = context
  assertUrlsAllowed(outbound, input.webhookServiceConfig)
  const change = { isOn: input.useWebhookService, config: input.webhookServiceConfig }
  const { isOn, config } = await updateService(context, tenant, webhookService, change)
  if (config.encryptData && !readPublicKey(config.publicKey)) {
    throw invalidField('webhookServiceConfig.publicKey', PUBLIC_KEY_RULE)
  }
  await applyBasicConfig(db, tenant, secrets, { isOn, config })
  return { useWebhookService: isOn, webhookServiceConfig: config }
})
