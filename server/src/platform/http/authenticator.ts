import type { ApiKeyTenant, WorkspaceTenant } from '../context.ts'

const DEFAULT_PREFIX = 'x-service'
const NAMES = ['api-key', 'auth-token', 'workspace-id', 'workspace-auth-token'] as const

/** A credential; the name of its header begins with a prefix. */
export type CredentialName = (typeof NAMES)[number]

/** The credentials of a request, read from whichever header prefix the caller uses. */
export interface Credentials {
  /** The value of `x-service-<name>` or of an alias; undefined when missing or empty. */
  header(name: CredentialName): string | undefined
  /** The full name of a credential header in the prefix that the caller uses, for error messages. */
  nameOf(name: CredentialName): string
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

/**
 * Returns a function that reads the credentials from the headers of a request, each from the first prefix that the
 * request uses for it. The names of the headers are joined once, not for each request.
 */
export function credentialReader(aliases: string[]): (headers: Headers) => Credentials {
  const prefixes = [DEFAULT_PREFIX, ...aliases]
  const headersOf = new Map(NAMES.map((name) => [name, prefixes.map((prefix) => `${prefix}-${name}`)]))
  const ofPrefix = prefixes.map((prefix) => ({ prefix, names: NAMES.map((name) => `${prefix}-${name}`) }))
  return (headers) => ({
    header(name) {
      for (const header of headersOf.get(name) ?? []) {
        const value = headers[header]
        if (typeof value === 'string' && value !== '') return value
      }
      return undefined
    },
    nameOf(name) {
      const used = ofPrefix.find(({ names }) => names.some((header) => headers[header] !== undefined))
      return `${used?.prefix ?? DEFAULT_PREFIX}-${name}`
    },
    get bearer() {
      return bearerOf(headers)
    },
  })
}

/** The token of `Authorization: Bearer` (RFC 6750); undefined when there is none. */
export const bearerOf = ({ authorization }: Headers): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization?.toString() ?? '')?.[1]

/** What a call has that comes without any. */
export const NO_CREDENTIALS: Credentials = credentialReader([])({})
