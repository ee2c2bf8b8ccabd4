import { on } from '../../platform/event.ts'
import { webhookServiceConfigured } from '../workspaces/webhook-service-event.ts'
import { applyBasicConfig } from './basic-endpoint.ts'

/** A new API key can come with its basic webhooks. */
export const applyConfigOfNewKey = on(webhookServiceConfigured, async ({ db, tenant, secrets }, changes) => {
  for (const { isOn, config } of changes) await applyBasicConfig(db, tenant, secrets, isOn, config)
})
