import { on } from '../../platform/event.ts'
import { webhookServiceConfigured } from '../workspaces/webhook-service-event.ts'
import { applyBasicConfig } from './basic-endpoint.ts'

/** Applies the basic webhook config that a new API key was created with. */
export const applyConfigOfNewKey = on(webhookServiceConfigured, async ({ db, tenant, secrets }, changes) => {
  for (const change of changes) await applyBasicConfig(db, tenant, secrets, change)
})
