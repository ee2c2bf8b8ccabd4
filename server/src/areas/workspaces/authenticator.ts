import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { ApiKeyTenant, RenewedKeys } from '../../platform/context.ts'
import { coalesceReads } from '../../platform/db/coalesce-reads.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Authenticator, CredentialName, Credentials } from '../../platform/http/authenticator.ts'
import type { Secrets } from '../../platform/secret.ts'
import { admitsOrigin } from './allowed-domain.ts'

const MAX_REMEMBERED = 10_000

// The same message for an unknown key and a wrong token, so that it does not reveal which keys exist.
const invalidKey = () => new ApiError('PERMISSION_DENIED', 'Invalid API key or auth token.')

interface StoredToken {
  workspace_id: string
  disabled: boolean
  hash: string
  organization_keys: RenewedKeys | null
}

const readTokens = (checks: Db, apiKey: string): Promise<StoredToken[]> =>
  checks.query<StoredToken>(sql`
    select k.workspace_id, k.disabled, k.organization_keys, t.hash
    from api_key k
    join auth_token t on t.api_key = k.id
    where k.id = ${apiKey} and not k.deleting`)

// Only a caller with a valid token gets this message.
const disabledKey = () => new ApiError('PERMISSION_DENIED', 'This API key is disabled.')

const isApiKey = (text: string) => /^[A-Za-z0-9]{1,64}$/.test(text)

/** The tenant of an API key and its auth token, or PERMISSION_DENIED. Nothing is remembered of the check. */
export async function authenticateApiKey(
  checks: Db,
  secrets: Secrets,
  { apiKey, authToken }: { apiKey: string; authToken: string },
): Promise<ApiKeyTenant> {
  const rows = isApiKey(apiKey) ? await readTokens(checks, apiKey) : []
  const match = rows.find(({ hash }) => secrets.verify(authToken, hash))
  if (!match) throw invalidKey()
  if (match.disabled) throw disabledKey()
  return tenantOf(apiKey, match)
}

const tenantOf = (apiKey: string, { workspace_id, organization_keys }: StoredToken): ApiKeyTenant => ({
  apiKey,
  workspaceId: workspace_id,
  organizationKeys: organization_keys ?? undefined,
})

/** Credentials that were accepted. As long as the database holds this hash, they need not be hashed again. */
interface Admitted {
  tenant: ApiKeyTenant
  hash: string
}

/**
 * Checks credentials against the database at every call, so that a reset token stops working at once in every process.
 * `onUnreadable` is told of a refusal where the key of a stored token is missing: the credentials may be right.
 */
export function createAuthenticator(checks: Db, secrets: Secrets, onUnreadable: () => void): Authenticator {
  const noteRefused = (hashes: string[]) => {
    if (!hashes.every(secrets.canVerify)) onUnreadable()
  }
  const tokensOf = coalesceReads(async (apiKey, callers: undefined[]) => {
    const tokens = await readTokens(checks, apiKey)
    return callers.map(() => tokens)
  })
  // Keyed by a digest, so that no token is kept in memory.
  const admitted = new LRUCache<string, Admitted>({ max: MAX_REMEMBERED })
  return {
    async apiKey(credentials) {
      const apiKey = required(credentials, 'api-key', 'API key')
      const token = required(credentials, 'auth-token', 'Auth token')
      if (!isApiKey(apiKey)) throw invalidKey()
      const digest = digestOf(apiKey, token)
      const rows = await tokensOf(apiKey, undefined)
      const before = admitted.get(digest)
      const match =
        rows.find(({ hash }) => hash === before?.hash) ?? rows.find(({ hash }) => secrets.verify(token, hash))
      if (!match || match.disabled) {
        admitted.delete(digest)
        if (!match) noteRefused(rows.map(({ hash }) => hash))
        throw match ? disabledKey() : invalidKey()
      }
      const tenant = tenantOf(apiKey, match)
      if (match.hash === before?.hash && isDeepStrictEqual(tenant, before.tenant)) return before.tenant
      admitted.set(digest, { tenant, hash: match.hash })
      return tenant
    },
    presumedTenant(credentials) {
      const [apiKey = '', token = ''] = [credentials.header('api-key'), credentials.header('auth-token')]
      return admitted.get(digestOf(apiKey, token))?.tenant
    },
    async workspace(credentials) {
      const workspaceId = required(credentials, 'workspace-id', 'Workspace ID')
      const token = required(credentials, 'workspace-auth-token', 'Workspace auth token')
      const known = /^[\w-]{1,64}$/.test(workspaceId)
      const [row] = known
        ? await checks.query<{ token_hash: string }>(sql`select token_hash from workspace where id = ${workspaceId}`)
        : []
      if (!row) throw new ApiError('NOT_FOUND', 'Workspace not found.')
      if (!secrets.verify(token, row.token_hash)) {
        noteRefused([row.token_hash])
        throw new ApiError('UNAUTHENTICATED', 'Invalid auth token for workspace.')
      }
      return { workspaceId }
    },
    admitsOrigin: (origin, apiKey) => admitsOrigin(checks, origin, apiKey),
  }
}

const digestOf = (apiKey: string, token: string) => hash('sha256', `${apiKey} ${token}`, 'base64')

function required(credentials: Credentials, header: CredentialName, name: string): string {
  const value = credentials.header(header)
  if (value === undefined)
    throw new ApiError('INVALID_ARGUMENT', `${name} not found in headers: ${credentials.nameOf(header)} is required.`)
  return value
}
