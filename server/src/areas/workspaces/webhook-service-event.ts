import { internalEvent } from '../../platform/event.ts'
import type { Static } from '../../platform/schema.ts'
import type { WebhookServiceConfig } from './setting/webhook-service.ts'

/** The basic webhook service of a new API key was configured. */
export const webhookServiceConfigured = internalEvent<{ isOn: boolean; config: Static<typeof WebhookServiceConfig> }>(
  'webhook_service.configured',
)
