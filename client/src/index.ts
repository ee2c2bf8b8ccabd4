export type { Api, ErrorStatus, EventType } from './api.ts'
export type { CallOptions, RetryOptions } from './call-options.ts'
export { type ClientOptions, createClient } from './client.ts'
export { ConnectionError, type ErrorDetails, type Issue, PrecedentError, TimeoutError } from './errors.ts'
export type { GroupingOperation, PagedOperation } from './pages.ts'
export type {
  Activity,
  Comment,
  Delivery,
  Document,
  Endpoint,
  Folder,
  Judgment,
  KnowledgeSource,
  Notification,
  Organization,
  PermissionDecision,
  Priority,
  Reaction,
  Recording,
  Status,
  Suggestion,
  Thread,
  User,
  UserGroup,
} from './records.ts'
export { verifySignature } from './verify-signature.ts'
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
export type { TestMessage, WebhookData, WebhookEvent } from './webhook-event.ts'
