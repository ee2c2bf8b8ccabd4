import { LRUCache } from 'lru-cache'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import type { Secrets } from '../../platform/secret.ts'

/** The purpose that the secret of an endpoint is sealed for. */
export const endpointSecretContext = (apiKey: string, endpointId: string): string =>
  `webhook-secret:${apiKey}:${endpointId}`

/** Opens what was sealed for a context. */
export type Opener = Secrets['open']

const MAX_OPENED = 1_000

/** Opens secrets, and keeps the last ones open: opening one costs more than signing with it. */
export function createOpener(secrets: Secrets): Opener {
  const opened = new LRUCache<string, string>({ max: MAX_OPENED })
  return (sealed, context) => {
    const key = `${context} ${sealed}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const secret = secrets.open(sealed, context)
    opened.set(key, secret)
    return secret
  }
}

/** Gives an endpoint a new secret; the one before stays valid beside it until `oldExpiresAt`. */
export async function replaceSecret(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  endpointId: string,
  { secret, oldExpiresAt }: { secret: string; oldExpiresAt: number },
): Promise<void> {
  if (oldExpiresAt === 0) {
    await db.query(sql`
      delete from webhook_secret where api_key = ${tenant.apiKey} and endpoint_id = ${endpointId}`)
  } else {
    await db.query(sql`
      update webhook_secret
      set expires_at = ${oldExpiresAt}::bigint
      where api_key = ${tenant.apiKey} and endpoint_id = ${endpointId} and expires_at is null`)
  }
  await db.query(sql`
    insert into webhook_secret (api_key, endpoint_id, sealed)
    values (${tenant.apiKey}, ${endpointId}, ${secrets.seal(secret, endpointSecretContext(tenant.apiKey, endpointId))})`)
}
