import type { ChatModel } from './chat/chat-model.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { Embedder } from './embedder/embedder.ts'
import type { TokenSigner } from './keys/signing-key.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Mailer } from './outbound/mail.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { PageTokens } from './page-token.ts'
import type { Secrets } from './secret.ts'
import type { Tracing } from './tracing/tracing.ts'

/**
 * What every handler, subscriber and job may use besides its transaction. Areas declare what `app.ts` makes of theirs.
 */
export interface Services {
  config: Config
  secrets: Secrets
  pageTokens: PageTokens
  /** Seal links that are sent by email; they outlive the rotation of the master key. */
  linkSecrets: () => Promise<Secrets>
  tokenSigner: TokenSigner
  outbound: Outbound
  /** Undefined when the operator has configured none; then only words are compared. */
  embedder: Embedder | undefined
  /** Undefined when the operator has configured none; then answers are made of quotes. */
  chatModel: ChatModel | undefined
  clock: Clock
  /** Hands over all data of the installation as lines of JSON, from one moment, as fast as `write` takes them. */
  exportAll: (write: (lines: string) => Promise<void>) => Promise<void>
  log: Log
  metrics: Metrics
  tracing: Tracing
}

/** What a worker's source of work runs with, outside of any transaction. */
export interface WorkerContext {
  /** For statements that are transactions of their own. */
  db: Db
  /** For reads only. */
  reads: Db
  services: Services
  /** Undefined when no SMTP server is configured. */
  mailer: Mailer | undefined
}

/**
 * The current time in whole epoch milliseconds, used for due times. It follows the database's clock (`DatabaseClock`);
 * tests move it.
 */
export interface Clock {
  now(): number
}

/** The tenant of a call with an API key. */
export interface ApiKeyTenant {
  apiKey: string
  workspaceId: string
  /** Undefined: every organization has its usual key. */
  organizationKeys?: RenewedKeys | undefined
}

/** The keys of organizations that do not have their usual one, by that; `organizationKeyOf` reads them. */
export type RenewedKeys = Readonly<Record<string, string>>

/** What a statement on the data of an API key needs to know of its tenant. */
export type ApiKeyScope = Pick<ApiKeyTenant, 'apiKey'>

/** The tenant of a call with the token of a workspace. */
export interface WorkspaceTenant {
  workspaceId: string
}

/** The API key that a call is for; null where it is for a workspace, or for nobody. */
export const apiKeyOf = (tenant: ApiKeyTenant | WorkspaceTenant | undefined): string | null =>
  tenant && 'apiKey' in tenant ? tenant.apiKey : null
