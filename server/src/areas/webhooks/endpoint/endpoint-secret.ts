import { LRUCache } from 'lru-cache'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'

/** The context that an endpoint's secret is sealed for. */
export const endpointSecretContext = (apiKey: string, endpointId: string): string =>
  `webhook-secret:${apiKey}:${endpointId}`

/** Decrypts a value that was sealed for a context. */
export type Opener = Secrets['open']

const MAX_OPENED = 1_000

/** Creates an opener that caches the last 1,000 secrets, because opening one costs more than signing with it. */
export function createOpener(secrets: Secrets): Opener {
  const opened = new LRUCache<string, string>({ max: MAX_OPENED })
  return (sealed, context) => {
    const key = `${context} ${sealed}`
    const cached = opened.get(key)
    if (cached !== undefined) return cached
    const secret = secrets.open(sealed, context)
    opened.set(key, secret)
    return secret
  }
}

/** At most this many earlier secrets sign beside the current one, however long their overlaps are. */
export const MAX_OLD_SECRETS = 4

interface NewSecret {
  endpointId: string
  secret: string
}

/** Sets the secret of an endpoint; all earlier ones stop being valid. */
export async function setSecret(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  { endpointId, secret }: NewSecret,
): Promise<void> {
  await db.query(sql`
    delete from webhook_secret where api_key = ${tenant.apiKey} and endpoint_id = ${endpointId}`)
  await addSecret(db, tenant, secrets, { endpointId, secret })
}

/**
 * Sets a new secret for an endpoint. The previous one stays valid for `overlapMs`; of all earlier ones that are still
 * valid, the last MAX_OLD_SECRETS stay so.
 */
export async function rotateSecret(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  { endpointId, secret, now, overlapMs }: NewSecret & { now: number; overlapMs: number },
): Promise<void> {
  await db.query(sql`
    update webhook_secret
    set expires_at = ${now + overlapMs}::bigint
    where api_key = ${tenant.apiKey} and endpoint_id = ${endpointId} and expires_at is null`)
  await db.query(sql`
    delete from webhook_secret
    where api_key = ${tenant.apiKey}
      and endpoint_id = ${endpointId}
      and (
        expires_at <= ${now}::bigint
        or seq not in (
          select seq
          from webhook_secret
          where api_key = ${tenant.apiKey} and endpoint_id = ${endpointId} and expires_at > ${now}::bigint
          order by seq desc
          limit ${MAX_OLD_SECRETS}
        )
      )`)
  await addSecret(db, tenant, secrets, { endpointId, secret })
}

async function addSecret(
  db: Db,
  { apiKey }: ApiKeyTenant,
  secrets: Secrets,
  { endpointId, secret }: NewSecret,
): Promise<void> {
  await db.query(sql`
    insert into webhook_secret (api_key, endpoint_id, sealed)
    values (${apiKey}, ${endpointId}, ${secrets.seal(secret, endpointSecretContext(apiKey, endpointId))})`)
}
