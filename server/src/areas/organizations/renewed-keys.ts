import type { ApiKeyTenant, RenewedKeys } from '../../platform/context.ts'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { keyOf, randomId } from '../../platform/id.ts'
import type { OrganizationDeleted } from './organization-event.ts'

/**
 * How many keys may be renewed, and how many organizations retired. Each request reads the keys with its credentials.
 */
const MOST_RENEWED = 100

/** Those of the organizations whose keys may be renewed; deletions at the same time may exceed the limit by a few. */
export async function mayBeRenewed<Organization extends OrganizationDeleted>(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizations: Organization[],
): Promise<Organization[]> {
  if (organizations.length === 0) return []
  const [row] = await db.query<{ keys: RenewedKeys; retired: number }>(sql`
    select coalesce(organization_keys, '{}') as keys,
      (select count(*) from organization where api_key = ${apiKey} and retired_at is not null) as retired
    from api_key
    where id = ${apiKey}`)
  const { keys = {}, retired = 0 } = row ?? {}
  const isKnown = ({ organizationId }: Organization) => keyOf(organizationId) in keys
  const room = Math.max(0, MOST_RENEWED - Object.keys(keys).length)
  const others = organizations.filter((organization) => !isKnown(organization)).slice(0, room)
  return [...organizations.filter(isKnown), ...others].slice(0, Math.max(0, MOST_RENEWED - retired))
}

/** Gives organizations with these ids new keys. */
export async function renewKeys(db: Db, { apiKey }: ApiKeyTenant, organizationIds: string[]): Promise<void> {
  if (organizationIds.length === 0) return
  const keys = Object.fromEntries(organizationIds.map((id) => [keyOf(id), keyOf(randomId(''))]))
  await db.query(sql`
    update api_key
    set organization_keys = coalesce(organization_keys, '{}') || ${json(keys)}
    where id = ${apiKey}`)
}

/** Gives ids that no organization has their usual keys again. */
export async function forgetKeys(db: Db, { apiKey }: ApiKeyTenant, organizationIds: string[]): Promise<void> {
  if (organizationIds.length === 0) return
  // Whoever creates an organization holds the row at the end. A statement after it sees what they have created.
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
