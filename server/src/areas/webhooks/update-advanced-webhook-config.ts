import { sql } from '../../platform/db/db.ts'
import { invalidField, oneGivenIssues } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { clearedByNull, REFUSES_NULL, Type } from '../../platform/schema.ts'
import { cancelAdvanced } from './delivery/delivery.ts'
import { AdvancedConfig, advancedConfigState, mergeAdvancedConfig } from './endpoint/advanced-config.ts'
import { PUBLIC_KEY_RULE, readPublicKey } from './endpoint/public-key.ts'

const FIELDS = ['isEnabled', 'encryptData', 'encodeData', 'publicKey', 'enableDataProtection'] as const

/** Enables or disables advanced webhooks and sets how payloads are sent. The first update must enable them. */
export const updateAdvancedWebhookConfig = operation({
  path: '/v2/workspace/advancedwebhookconfig/update',
  auth: 'apiKey',
  access: 'write',
  administers: advancedConfigState,
  summary: 'Update the advanced webhook configuration',
  input: Type.Object(
    { ...Type.Partial(AdvancedConfig).properties, publicKey: clearedByNull(AdvancedConfig.properties.publicKey) },
    REFUSES_NULL,
  ),
  example: { isEnabled: true },
  output: AdvancedConfig,
  errors: ['FAILED_PRECONDITION'],
  message: 'Advanced webhook configuration updated successfully.',
  check: (input) => oneGivenIssues(input, FIELDS),
}).run(async ({ db, tenant, input, secrets }) => {
  const sent = FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field] ?? '']]))
  const config = await mergeAdvancedConfig(db, tenant, secrets, Object.fromEntries(sent))
  if (config.encryptData && !readPublicKey(config.publicKey)) throw invalidField('publicKey', PUBLIC_KEY_RULE)
  if (!config.isEnabled) await cancelAdvanced(db, tenant)
  await db.query(sql`
    update webhook_endpoint
    set enabled = ${config.isEnabled},
        encode = ${config.encodeData},
        public_key = ${config.encryptData ? config.publicKey : null},
        protect = ${config.enableDataProtection},
        next_send_at = case when ordered and not enabled then 0 else next_send_at end
    where api_key = ${tenant.apiKey} and kind = 'advanced'`)
  return config
})
