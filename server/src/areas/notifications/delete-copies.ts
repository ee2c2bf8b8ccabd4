import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { hasAppeared, notificationOf } from './inbox.ts'
import { conditionOf } from './notification-filter.ts'

/** The user of an organization whose copies they are. */
interface Owner {
  organizationKey: string
  userKey: string
}

interface Row {
  key: string
  id: string
}

type Filter = Parameters<typeof conditionOf>[0]

/** Finds the user's copies. A copy that has not appeared yet is found by its id only. */
export const findCopies = (
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, userKey, now }: Owner & { now: number },
  { filter, limit }: { filter: Filter; limit: number },
): Promise<Row[]> =>
  db.query<Row>(sql`
    select n.key, n.id
    from notification_recipient r
    cross join lateral (${notificationOf(tenant.apiKey, organizationKey)}) n
    where r.api_key = ${tenant.apiKey} and r.organization_key = ${organizationKey} and r.user_key = ${userKey}
      and not r.is_deleted and ${conditionOf(filter)}
      and (${filter.notificationIds !== undefined}::boolean or ${hasAppeared(now)})
    order by n.key
    limit ${limit}`)

/**
 * Deletes the user's copies, and notifications with their last copy. Returns the keys of the copies that were there.
 */
export async function deleteCopies(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, userKey }: Owner,
  keys: string[],
): Promise<Set<string>> {
  // Locked before their copies, so that of two calls which delete the last two copies the second sees what the first
  // did.
  await db.query(sql`
    select
    from notification
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = any(${keys}::uuid[])
    order by key
    for update`)
  const rows = await db.query<{ key: string }>(sql`
    update notification_recipient
    set is_deleted = true, person = '{}'
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and user_key = ${userKey}
      and notification_key = any(${keys}::uuid[]) and not is_deleted
    returning notification_key as key`)
  const gone = rows.map(({ key }) => key)
  // The limit makes the planner look each up by key, with or without statistics.
  await db.query(sql`
    delete from notification n
    using unnest(${gone}::uuid[]) as g (key)
    left join lateral (
      select true as is_left
      from notification_recipient r
      where r.api_key = ${tenant.apiKey} and r.organization_key = ${organizationKey} and r.notification_key = g.key
        and not r.is_deleted
      limit 1
    ) r on true
    where n.api_key = ${tenant.apiKey} and n.organization_key = ${organizationKey} and n.key = g.key
      and r.is_left is null`)
  return new Set(gone)
}
