import type { ApiKeyTenant } from '../../platform/context.ts'
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
