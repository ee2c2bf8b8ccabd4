import type { ApiKeyTenant, WorkspaceTenant } from '../context.ts'

/** The credentials of a request, read from whichever header prefix the caller uses. */
export interface Credentials {
  /** The value of `x-service-<name>` or of an alias; undefined when missing or empty. */
  header(name: string): string | undefined
}

/** Who may call; provided by the area that owns keys and workspaces. */
export interface Authenticator {
  apiKey(credentials: Credentials): Promise<ApiKeyTenant>
  /** Whom the same credentials belonged to when they last passed in this process, which is no proof that they still do. */
  presumed(credentials: Credentials): ApiKeyTenant | undefined
  workspace(credentials: Credentials): Promise<WorkspaceTenant>
  /** Whether browsers on this origin may read the answer; `apiKey` undefined (a preflight): of any key. */
  admitsOrigin(origin: string, apiKey: string | undefined): Promise<boolean>
}

/** What the headers of a request say of its credentials, each under the first of the prefixes that it is sent with. */
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
