import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { keyOf, randomId } from '../../platform/id.ts'

/** How many keys may be renewed at a time. Each request of the API key reads them with its credentials. */
const MOST_RENEWED = 100

/**
 * Confirms, until the transaction ends, that the tenant knows the keys of all organizations. A transaction that creates
 * an organization calls it first. ABORTED if one was deleted since the request began, so that its id has another key.
 */
export async function confirmKeys(db: Db, tenant: ApiKeyTenant): Promise<void> {
  const known = tenant.organizationKeys ? json(tenant.organizationKeys) : null
  const [row] = await db.query(sql`
    select 1 as confirmed
    from api_key
    where id = ${tenant.apiKey} and organization_keys is not distinct from ${known}::jsonb
    for share`)
  if (!row) throw new ApiError('ABORTED', 'An organization was deleted meanwhile. Repeat the request.')
}

/** Whether so many more keys may be renewed. Deletions at the same time may exceed the limit by a few. */
export async function mayRenew(db: Db, { apiKey }: ApiKeyTenant, count: number): Promise<boolean> {
  const [row] = await db.query<{ used: number }>(sql`
    select greatest(
      (select count(*) from jsonb_object_keys(coalesce(organization_keys, '{}'))),
      (select count(*) from organization where api_key = ${apiKey} and retired_at is not null)) as used
    from api_key
    where id = ${apiKey}`)
  return row !== undefined && row.used + count <= MOST_RENEWED
}

/** Gives organizations with these ids new keys. */
export async function renewKeys(db: Db, { apiKey }: ApiKeyTenant, organizationIds: string[]): Promise<void> {
  const keys = Object.fromEntries(organizationIds.map((id) => [keyOf(id), keyOf(randomId(''))]))
  await db.query(sql`
    update api_key
    set organization_keys = coalesce(organization_keys, '{}') || ${json(keys)}
    where id = ${apiKey}`)
}

/** Gives ids that no organization has their usual keys again. */
export async function forgetKeys(db: Db, { apiKey }: ApiKeyTenant, organizationIds: string[]): Promise<void> {
  if (organizationIds.length === 0) return
  // Whoever creates an organization holds the row. A statement after it sees what they have created.
  await db.query(sql`select from api_key where id = ${apiKey} for no key update`)
  await db.query(sql`
    update api_key
    set organization_keys = nullif(
      organization_keys - array(
        select u.key::text
        from unnest(${organizationIds.map(keyOf)}::uuid[]) as u (key)
        where not exists (
          select
          from organization o
          where o.api_key = ${apiKey} and o.key in (u.key, (api_key.organization_keys ->> u.key::text)::uuid))
      ), '{}')
    where id = ${apiKey} and organization_keys is not null`)
}
