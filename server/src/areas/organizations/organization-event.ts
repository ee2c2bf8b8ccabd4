import { internalEvent } from '../../platform/event.ts'

export interface OrganizationDeleted {
  organizationKey: string
  organizationId: string
}

/** Organizations are about to go, with every row that references them; their rows are locked and still readable. */
export const organizationsDeleted = internalEvent<OrganizationDeleted>('organizationsDeleted')
