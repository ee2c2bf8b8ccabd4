import type { ApiKeyTenant } from '../../../platform/context.ts'
import { keyOf } from '../../../platform/id.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import type { ResourceType } from './grant.ts'

/** The key of a resource by its id. */
export const resourceKeyOf = (tenant: ApiKeyTenant, type: ResourceType, id: string): string =>
  type === 'organization' ? organizationKeyOf(tenant, id) : keyOf(id)
