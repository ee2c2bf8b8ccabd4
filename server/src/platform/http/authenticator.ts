import type { ApiKeyTenant, WorkspaceTenant } from '../context.ts'

/** The credentials of a request, read from whichever header prefix the caller uses. */
export interface Credentials {
  /** The value of `x-service-<name>` or of an alias; undefined when missing or empty. */
  header(name: string): string | undefined
  /** The full name of a credential header in the prefix that the caller uses, for error messages. */
  nameOf(name: string): string
  /** The token of `Authorization: Bearer`; undefined when there is none. */
  readonly bearer: string | undefined
}

/** Decides who may call. The area that owns keys and workspaces provides it. */
export interface Authenticator {
  apiKey(credentials: Credentials): Promise<ApiKeyTenant>
  /**
   * The tenant of the same credentials when this process last accepted them. It is no proof that they are still valid.
   */
  presumedTenant(credentials: Credentials): ApiKeyTenant | undefined
  workspace(credentials: Credentials): Promise<WorkspaceTenant>
  /**
   * Whether browsers on this origin may read the response. Without `apiKey` (a preflight): whether any key allows it.
   */
  admitsOrigin(origin: string, apiKey: string | undefined): Promise<boolean>
}

type Headers = Record<string, string | string[] | undefined>

const DEFAULT_PREFIX = 'x-service'
const NAMES = ['api-key', 'auth-token', 'workspace-id', 'workspace-auth-token']

/** Reads the credentials from the headers, each from the first prefix that the request uses for it. */
export function credentialsOf(headers: Headers, aliases: string[]): Credentials {
  const prefixes = [DEFAULT_PREFIX, ...aliases]
  return {
    header(name) {
      for (const prefix of prefixes) {
        const value = headers[`${prefix}-${name}`]
        if (typeof value === 'string' && value !== '') return value
      }
      return undefined
    },
    nameOf(name) {
      const used = prefixes.find((prefix) => NAMES.some((each) => headers[`${prefix}-${each}`] !== undefined))
      return `${used ?? DEFAULT_PREFIX}-${name}`
    },
    get bearer() {
      return /^Bearer +(\S+) *$/i.exec(headers.authorization?.toString() ?? '')?.[1]
    },
  }
}
