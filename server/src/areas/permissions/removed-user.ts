import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Sql, sql, type Transaction } from '../../platform/db/db.ts'

/**
 * Sends a statement that records that users were removed from an organization. `writeGrants` deletes the record when it
 * makes them members again.
 */
export function recordRemoved(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  userKeys: string[],
): void {
  db.send(sql`
    insert into removed_user (api_key, organization_key, user_key)
    select ${tenant.apiKey}, ${organizationKey}, key
    from app_user
    where api_key = ${tenant.apiKey} and key = any(${userKeys}::uuid[])
    on conflict (api_key, user_key, organization_key) do update set removed_at = excluded.removed_at`)
}

/** SQL condition: the user was removed from the organization and is not a member again. */
export const isRemoved = (apiKey: string, organizationKey: Sql, userKey: Sql): Sql => sql`
  exists (
    select
    from removed_user x
    where x.api_key = ${apiKey} and x.user_key = ${userKey} and x.organization_key = ${organizationKey}
  )`
