import { createHmac } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { authTokenContext } from '../../workspaces/api-key.ts'

/**
 * Returns the signature of permissions: the lower-case hex HMAC-SHA256 over their canonical JSON (RFC 8785), keyed by
 * the auth token of the API key.
 */
export async function signPermissions(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  permissions: unknown,
): Promise<string> {
  const [row] = await db.query<{ sealed: string }>(sql`
    select sealed
    from auth_token
    where api_key = ${tenant.apiKey}
    order by created_at
    limit 1`)
  if (!row) throw new Error('An API key that was just used has no auth token.')
  const token = secrets.open(row.sealed, authTokenContext(tenant.apiKey))
  return createHmac('sha256', token)
    .update(canonicalize(permissions) ?? '')
    .digest('hex')
}
