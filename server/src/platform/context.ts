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

/** What every handler, subscriber and job may use besides its transaction. Areas declare what `app.ts` makes of theirs. */
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

export interface WorkspaceTenant {
  workspaceId: string
}

/** The API key that a call is for; null where it is for a workspace, or for nobody. */
export const apiKeyOf = (tenant: ApiKeyTenant | WorkspaceTenant | undefined): string | null =>
  tenant && 'apiKey' in tenant ? tenant.apiKey : null

/** Somebody signed in to the console: an operator, the holder of a workspace's token, or that of the operator's. */
export interface ConsoleSession {
  /** The id of the operator or of the workspace; `operator-token` for the holder of that. */
  id: string
  /** Names the session in the database; empty for a machine, which sends the operator's token with each call. */
  hash: string
  /** How it was opened. */
  door: Door
  openedAt: number
  role: 'operator' | 'admin' | 'developer' | 'reviewer' | 'viewer'
  name: string
  email: string
  /** The only workspace that the session reaches; null: all. */
  workspaceId: string | null
  expiresAt: number
  /** Of a command on the machine of the server, which has proved that it knows the master keys. */
  ofThisMachine?: true
}

/** A way to sign in to the console. */
export type Door = 'link' | 'password' | 'workspace token' | 'operator token' | 'oidc'

/** Who somebody is, as an issuer says that is trusted. */
export interface Identity {
  /** Verified by the issuer. */
  email: string
  name: string | undefined
  claims: Record<string, unknown>
}

/** Who calls an operation of the console. */
export interface ConsoleCaller {
  /** Undefined for somebody who is not signed in. */
  session: ConsoleSession | undefined
  /** Set in a sign-in that comes back from the issuer. */
  identity?: Identity
  /** Set in a sign-in whose password fits: the stored hash that it was compared with. */
  passwordHash?: string | undefined
  /** Sets the cookie of the session, or of a sign-in that is under way; null removes it. */
  setCookie(purpose: 'session' | 'sign-in', value: string | null): void
}
