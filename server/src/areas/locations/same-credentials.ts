import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Secrets } from '../../platform/secret.ts'

/** Throws PERMISSION_DENIED unless the `apiKey` and `authToken` of the body are those of the call. */
export async function requireSameCredentials(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  { apiKey, authToken }: { apiKey: string; authToken: string },
): Promise<void> {
  const tokens = await db.query<{ hash: string }>(sql`select hash from auth_token where api_key = ${tenant.apiKey}`)
  const same = apiKey === tenant.apiKey && tokens.some(({ hash }) => secrets.verify(authToken, hash))
  if (!same) throw new ApiError('PERMISSION_DENIED', 'apiKey and authToken must be the pair sent in the headers.')
}
