import { LRUCache } from 'lru-cache'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'

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

/** So many secrets before the current one sign beside it at most, however long their overlaps are. */
export const MAX_OLD_SECRETS = 4

/** Gives an endpoint a secret, and makes those before it void. */
export async function setSecret(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  endpointId: string,
  secret: string,
): Promise<void> {
  await db.query(sql`
    delete from webhook_secret where api_key = ${tenant.apiKey} and endpoint_id = ${endpointId}`)
  await addSecret(db, tenant, secrets, endpointId, secret)
}

/** Gives an endpoint a new secret; the one before stays valid beside it for `overlapMs`, with the last ones of those before. */
export async function rotateSecret(
  db: Db,
  tenant: ApiKeyTenant,
  secrets: Secrets,
  endpointId: string,
  { secret, now, overlapMs }: { secret: string; now: number; overlapMs: number },
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
  await addSecret(db, tenant, secrets, endpointId, secret)
}

async function addSecret(
  db: Db,
  { apiKey }: ApiKeyTenant,
  secrets: Secrets,
  endpointId: string,
  secret: string,
): Promise<void> {
  await db.query(sql`
    insert into webhook_secret (api_key, endpoint_id, sealed)
    values (${apiKey}, ${endpointId}, ${secrets.seal(secret, endpointSecretContext(apiKey, endpointId))})`)
}
