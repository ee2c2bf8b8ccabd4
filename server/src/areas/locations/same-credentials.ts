import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Secrets } from '../../platform/secret.ts'

/** Refuses a body whose `apiKey` and `authToken` are not the pair that the call was authenticated with. */
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
