import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Sql, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

type Keys = Pick<ApiKeyTenant, 'organizationKeys'>

/**
 * The key of an organization by its id: the first column, after the API key, of every row in it. It is `keyOf(id)`, but
 * for an organization whose usual key belongs to a deleted one that is not removed yet.
 */
export function organizationKeyOf({ organizationKeys }: Keys, organizationId: string): string {
  const key = keyOf(organizationId)
  return organizationKeys?.[key] ?? key
}

/** The tenant for what concerns an organization that has this key, whichever key its id has now. */
export function withOrganizationKey<Tenant extends Keys>(
  tenant: Tenant,
  { organizationId, organizationKey }: { organizationId: string; organizationKey: string },
): Tenant {
  return { ...tenant, organizationKeys: { ...tenant.organizationKeys, [keyOf(organizationId)]: organizationKey } }
}

/** SQL: whether the organization with this key is deleted, though it is not removed yet. */
export const isRetired = (apiKey: string, key: Sql): Sql => sql`
  coalesce(
    ${key} = any(array(select key from organization where api_key = ${apiKey} and retired_at is not null)), false)`
