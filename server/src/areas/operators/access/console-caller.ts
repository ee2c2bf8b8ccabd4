declare module '../../../platform/operation.ts' {
  interface CallerRequest {
    /** Set for an operation of the console. */
    console?: ConsoleCaller
  }
}

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
