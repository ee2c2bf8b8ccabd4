import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { type Static, Type } from '../../../platform/schema.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { readSetting, readSettingForUpdate, writeSetting } from '../../workspaces/setting.ts'

const NAME = 'advanced-webhook'

/** The advanced webhook config of an API key. */
export const AdvancedConfig = Type.Object({
  isEnabled: Type.Boolean({ description: 'Whether endpoints receive events.' }),
  encryptData: Type.Boolean({ description: 'Whether payloads are encrypted with `publicKey`.' }),
  encodeData: Type.Boolean({ description: 'Whether payloads are sent in base64.' }),
  publicKey: Type.String({ description: 'RSA public key, base64 without PEM header and footer; empty when unset.' }),
  enableDataProtection: Type.Boolean({ description: 'Whether personal data is left out of payloads.' }),
})
export type AdvancedConfig = Static<typeof AdvancedConfig>

const DEFAULTS: AdvancedConfig = {
  isEnabled: false,
  encryptData: false,
  encodeData: false,
  publicKey: '',
  enableDataProtection: false,
}

/** The config with its defaults; `isConfigured` is false until the first enable. */
export async function readAdvancedConfig(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
): Promise<{ isConfigured: boolean; config: AdvancedConfig }> {
  const setting = await readSetting(db, tenant, secrets, NAME)
  return { isConfigured: setting !== undefined, config: { ...DEFAULTS, ...setting?.value } }
}

/** Merges a change into the config and answers the whole; FAILED_PRECONDITION unless the first one enables. */
export async function mergeAdvancedConfig(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  change: Partial<AdvancedConfig>,
): Promise<AdvancedConfig> {
  const stored = await readSettingForUpdate(db, tenant, secrets, NAME)
  if (!stored && change.isEnabled !== true) throw neverConfigured()
  const value = { ...DEFAULTS, ...stored?.value, ...change }
  await writeSetting(db, tenant, secrets, NAME, { value, secrets: {} })
  return value
}

/** The config where advanced webhooks are enabled; else FAILED_PRECONDITION saying which of the two states it is. */
export async function requireAdvancedWebhooks(db: Db, tenant: ApiKeyTenant, secrets: Secrets): Promise<AdvancedConfig> {
  const { isConfigured, config } = await readAdvancedConfig(db, tenant, secrets)
  if (!isConfigured) throw neverConfigured()
  if (!config.isEnabled) {
    throw new ApiError(
      'FAILED_PRECONDITION',
      `Advanced webhooks are disabled for this workspace. Enable them via POST ${CONFIG_PATH} with isEnabled: true.`,
    )
  }
  return config
}

/** The same, with the config kept from changing until the transaction ends. */
export async function holdAdvancedWebhooks(db: Db, tenant: ApiKeyTenant, secrets: Secrets): Promise<AdvancedConfig> {
  await db.query(sql`select from api_key where id = ${tenant.apiKey} for no key update`)
  return requireAdvancedWebhooks(db, tenant, secrets)
}

const CONFIG_PATH = '/v2/workspace/advancedwebhookconfig/update'

const neverConfigured = () =>
  new ApiError(
    'FAILED_PRECONDITION',
    `Advanced webhooks are not configured for this workspace. Enable them first via POST ${CONFIG_PATH} with isEnabled: true.`,
  )
