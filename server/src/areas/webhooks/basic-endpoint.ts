import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import type { Static } from '../../platform/schema.ts'
import type { Secrets } from '../../platform/secret.ts'
import { BASIC_TYPES, isTriggered } from '../workspaces/setting/trigger.ts'
import type { WebhookServiceConfig } from '../workspaces/setting/webhook-service.ts'
import { cancelDeliveries } from './delivery/delivery.ts'
import { setSecret } from './endpoint/endpoint-secret.ts'

/** Updates the endpoints `raw` and `processed` to the basic config, and cancels deliveries to an inactive one. */
export async function applyBasicConfig(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  { isOn, config }: { isOn: boolean; config: Static<typeof WebhookServiceConfig> },
): Promise<void> {
  const types = BASIC_TYPES.filter((type) => isTriggered(config.triggers, type))
  const urls = [
    { id: 'raw', url: config.rawNotificationUrl },
    { id: 'processed', url: config.processedNotificationUrl },
  ]
  for (const { id, url } of urls) {
    const isActive = isOn && url !== ''
    if (!isActive) await cancelDeliveries(db, tenant, id)
    await db.query(sql`
      insert into webhook_endpoint (api_key, id, kind, url, filter_types, enabled, encode, public_key, protect)
      values (
        ${tenant.apiKey}, ${id}, ${id}, ${url}, ${types}::text[], ${isActive},
        ${config.encodeData}, ${config.encryptData ? config.publicKey : null}, ${config.enableDataProtection})
      on conflict (api_key, id) do update
      set url = excluded.url, filter_types = excluded.filter_types, enabled = excluded.enabled, encode = excluded.encode,
          public_key = excluded.public_key, protect = excluded.protect, updated_at = now_ms()`)
    await setSecret(db, tenant, secrets, { endpointId: id, secret: config.authToken })
  }
}
