import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { type Static, Type } from '../../../platform/schema.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { readSetting, readSettingForUpdate, settingState, writeSetting } from '../../workspaces/setting/setting.ts'

const NAME = 'advanced-webhook'

/** The config for an audit record. */
export const advancedConfigState = settingState(NAME)

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

/** Returns the config with its defaults; `isConfigured` is false until the service is enabled for the first time. */
export async function readAdvancedConfig(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
): Promise<{ isConfigured: boolean; config: AdvancedConfig }> {
  const setting = await readSetting(db, tenant, secrets, NAME)
  return { isConfigured: setting !== undefined, config: { ...DEFAULTS, ...setting?.value } }
}

/** Merges a change into the config and returns it; throws FAILED_PRECONDITION if the first change does not enable. */
export async function mergeAdvancedConfig(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  change: Partial<AdvancedConfig>,
): Promise<AdvancedConfig> {
  const stored = await readSettingForUpdate(db, tenant, secrets, NAME)
  if (!stored && change.isEnabled !== true) throw neverConfigured()
  const value = { ...DEFAULTS, ...stored?.value, ...change }
  await writeSetting(db, tenant, secrets, { name: NAME, value, secrets: {} })
  return value
}

/** Returns the config; throws FAILED_PRECONDITION, with distinct messages, if it was never set or is disabled. */
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

/** Like `requireAdvancedWebhooks`, but locks the config until the transaction ends. */
export async function lockAdvancedWebhooks(db: Db, tenant: ApiKeyTenant, secrets: Secrets): Promise<AdvancedConfig> {
  await db.query(sql`select from api_key where id = ${tenant.apiKey} for no key update`)
  return requireAdvancedWebhooks(db, tenant, secrets)
}

const CONFIG_PATH = '/v2/workspace/advancedwebhookconfig/update'

const neverConfigured = () =>
  new ApiError(
    'FAILED_PRECONDITION',
    `Advanced webhooks are not configured for this workspace. Enable them first via POST ${CONFIG_PATH} with isEnabled: true.`,
  )
