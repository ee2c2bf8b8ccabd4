import type { ApiKeyTenant, WorkspaceTenant } from '../context.ts'

/** The credentials of a request, read from whichever header prefix the caller uses. */
export interface Credentials {
  /** The value of `x-service-<name>` or of an alias; undefined when missing or empty. */
  header(name: string): string | undefined
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

/** Reads the credentials from the headers, each from the first prefix that the request uses for it. */
export const credentialsOf = (
  headers: Record<string, string | string[] | undefined>,
  aliases: string[],
): Credentials => ({
  header: (name) => {
    for (const prefix of ['x-service', ...aliases]) {
      const value = headers[`${prefix}-${name}`]
      if (typeof value === 'string' && value !== '') return value
    }
    return undefined
  },
})
