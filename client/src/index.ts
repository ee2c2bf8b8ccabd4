export type { Api, ErrorStatus, EventType } from './api.ts'
export type { CallOptions, RetryOptions } from './call-options.ts'
export { type ClientOptions, createClient } from './client.ts'
export { ConnectionError, type ErrorDetails, type Issue, PrecedentError, TimeoutError } from './errors.ts'
export type { PagedOperation } from './pages.ts'
export { verifySignature } from './verify-signature.ts'
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
export type { WebhookEvent } from './webhook-event.ts'
