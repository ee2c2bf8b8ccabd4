import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { clearedByNull, httpUrl, REFUSES_NULL, type Static, Type, text } from '../../../platform/schema.ts'
import type { ServiceKind } from './service-config.ts'
import { standardTriggers, Triggers } from './trigger.ts'

const optionalUrl = (description: string) => Type.Union([Type.Literal(''), httpUrl(description)], { description })

/** The basic webhook config of an API key. Secrets are returned as they were set. */
export const WebhookServiceConfig = Type.Object({
  // Any other character that a header cannot carry would fail every delivery.
  authToken: Type.String({
    maxLength: 2000,
    pattern: '^[ -~]*$',
    description: 'Sent with each request as `Authorization: Basic <authToken>`: visible ASCII characters and spaces.',
  }),
  rawNotificationUrl: optionalUrl('Receives every event as it is.'),
  processedNotificationUrl: optionalUrl('Receives every event prepared for display.'),
  encodeData: Type.Boolean({ description: 'Whether payloads are sent in base64.' }),
  encryptData: Type.Boolean({ description: 'Whether payloads are encrypted with `publicKey`.' }),
  publicKey: text('RSA public key, base64 without PEM header and footer.'),
  enableDataProtection: Type.Boolean({ description: 'Whether personal data is left out of payloads.' }),
  triggers: Triggers,
})

const { authToken, rawNotificationUrl, processedNotificationUrl, publicKey } = WebhookServiceConfig.properties

/** An update of it: null empties a text and is refused elsewhere. */
export const WebhookServiceChange = Type.Object(
  {
    ...Type.Partial(WebhookServiceConfig).properties,
    authToken: clearedByNull(authToken),
    rawNotificationUrl: clearedByNull(rawNotificationUrl),
    processedNotificationUrl: clearedByNull(processedNotificationUrl),
    publicKey: clearedByNull(publicKey),
  },
  REFUSES_NULL,
)

/** Basic webhooks. */
export const webhookService: ServiceKind<Static<typeof WebhookServiceConfig>> = {
  name: 'webhook',
  schema: WebhookServiceConfig,
  defaults: {
    authToken: '',
    rawNotificationUrl: '',
    processedNotificationUrl: '',
    encodeData: false,
    encryptData: false,
    publicKey: '',
    enableDataProtection: false,
    triggers: {},
  },
  secretFields: ['authToken'],
  seed: () => ({ triggers: standardTriggers(['comment', 'huddle', 'crdt', 'recorder']) }),
}

/** Throws INVALID_ARGUMENT if a URL of the `webhookServiceConfig` of an input may not be called. */
export function assertUrlsAllowed(outbound: Outbound, config: Static<typeof WebhookServiceChange> | undefined): void {
  for (const field of ['rawNotificationUrl', 'processedNotificationUrl'] as const) {
    const url = config?.[field]
    if (url) outbound.assertUrl(url, `webhookServiceConfig.${field}`)
  }
}
